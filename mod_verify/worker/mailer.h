/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_MAILER_H
#define IDV_WORKER_MAILER_H

/*
 * Takes e-mail out of the database, has it sent (out/mail_client.h), and
 * removes it.
 *
 * New e-mail is claimed as soon as a child says that there is some, other
 * e-mail at the next poll. There are five attempts in all, 15 minutes, 1, 4 and
 * 16 hours after each other and up to a tenth more; an e-mail that the mail
 * server refuses for good, or the fifth time, is removed unsent. An attempt
 * counts when it begins, so that an e-mail that brings the watchdog down is not
 * sent for ever. An e-mail that was sent but not yet removed when a watchdog
 * died is sent again, under the same Message-ID.
 *
 * Threads and memory: see worker.h; an opened e-mail lives until it was handed
 * to the mail client. Failures: those of the database are logged, and the next
 * poll tries again; each attempt that fails is a warning in the log.
 */
#include "worker/worker.h"

typedef struct idv_mailer_t idv_mailer_t;

/* The configuration has to have a mail server. */
idv_error_t *idv_mailer_create(idv_worker_t *worker, idv_mailer_t **mailer,
                               apr_pool_t *pool) IDV_CHECKED;

/* There may be new e-mail: it is claimed at once. */
void idv_mailer_wake(idv_mailer_t *mailer);

/* Claims nothing more; e-mails on the way go on. */
void idv_mailer_stop(idv_mailer_t *mailer);

/* E-mails on the way. */
int idv_mailer_in_flight(const idv_mailer_t *mailer);

/* Removes or postpones the e-mails whose attempts have ended, and gives all
 * leases of this node back: at the end of the process, and at its start for
 * e-mails of a predecessor. A process that departs keeps its leases until they
 * run out, because the leases of this node are its successor's, too. */
void idv_mailer_release(idv_mailer_t *mailer);

#endif
