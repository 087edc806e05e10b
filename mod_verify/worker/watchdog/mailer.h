/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_MAILER_H
#define IDV_WORKER_WATCHDOG_MAILER_H

/*
 * Takes e-mail from the database, has it sent (out/mail_client.h), and deletes
 * it.
 *
 * New e-mail is claimed as soon as a child announces some, other e-mail at the
 * next poll. There are five attempts in all, with intervals of 15 minutes, 1, 4
 * and 16 hours plus up to a tenth. An e-mail that the mail server refuses
 * permanently, or that fails for the fifth time, is deleted unsent. An attempt
 * counts from its start, so that an e-mail that crashes the watchdog is not
 * retried forever. An e-mail that was sent but not deleted before a watchdog
 * died is sent again, with the same Message-ID.
 *
 * Threads and memory: see worker.h; a decrypted e-mail lives until it is passed
 * to the mail client. Failures: database failures are logged, and the next poll
 * retries; each failed attempt is a warning in the log.
 */
#include "worker/process/worker.h"

typedef struct idv_mailer_t idv_mailer_t;

/* The configuration must have a mail server. */
idv_error_t *idv_mailer_create(idv_worker_t *worker, idv_mailer_t **mailer,
                               apr_pool_t *pool) IDV_CHECKED;

/* Claims new e-mail immediately; call it when there may be some. */
void idv_mailer_wake(idv_mailer_t *mailer);

/* Stops claiming; e-mails being sent continue. */
void idv_mailer_stop(idv_mailer_t *mailer);

/* Number of e-mails being sent. */
int idv_mailer_in_flight(const idv_mailer_t *mailer);

/* Deletes or postpones the e-mails whose attempts have ended, and releases all
 * leases of this node: at the end of the process, and at its start for e-mails
 * of a predecessor. A departing process keeps its leases until they expire,
 * because the leases of this node also belong to its successor. */
void idv_mailer_release(idv_mailer_t *mailer);

#endif
