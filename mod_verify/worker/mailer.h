/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_MAILER_H
#define IDV_WORKER_MAILER_H

/*
 * Takes e-mail out of the database, has it sent, and removes it.
 *
 * New e-mail is claimed as soon as a child says that there is some, the rest at
 * the next poll. Five attempts in all, 15 minutes, 1, 4 and 16 hours after each
 * other and up to a tenth more; what the server refuses for good, or the fifth
 * time, is removed unsent. An attempt counts when it begins, so that an e-mail
 * that brings the watchdog down is not sent for ever. What was sent but not
 * settled when a watchdog died is sent again under the same Message-ID.
 *
 * Threads and memory: see worker.h; an opened e-mail lives until it was handed
 * to the mail client.
 */
#include "worker/worker.h"

typedef struct idv_mailer_t idv_mailer_t;

/* The configuration has to have a mail server. */
idv_error_t *idv_mailer_create(idv_worker_t *worker, idv_mailer_t **mailer,
                               apr_pool_t *pool) IDV_CHECKED;

/* There may be new e-mail. */
void idv_mailer_wake(idv_mailer_t *mailer);

/* Claims nothing more; what is on the way goes on. */
void idv_mailer_stop(idv_mailer_t *mailer);

/* E-mails on the way. */
int idv_mailer_in_flight(const idv_mailer_t *mailer);

/* Settles what has ended and gives the other leases back, unless the process
 * departs: leases of this node are its successor's then. Also at the start, for
 * what a predecessor of this node had. */
void idv_mailer_release(idv_mailer_t *mailer);

#endif
