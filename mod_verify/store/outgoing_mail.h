/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_OUTGOING_MAIL_H
#define IDV_STORE_OUTGOING_MAIL_H

/*
 * E-mail that waits to be sent, as a queue with leases, like
 * store/analysis_job.h. It is written in the transaction of what it tells of.
 *
 * Recipient and message are personal: they are sealed together under a key of
 * the e-mail's own, which the server's master key wraps. Both go when the
 * e-mail was sent or is given up; nothing but ids is left to be logged.
 *
 * Memory: results in the pool that is given; what was opened is wiped with it.
 * Each function is one statement.
 */
#include <apr_tables.h>

#include "store/db.h"

/* An e-mail to be queued. */
typedef struct {
    const char *organization_id; /* for which it is sent */
    const char *session_id;
    const char *grant_id;  /* that it tells of */
    const char *id;        /* IDV_ID_OUTGOING_MAIL */
    const char *recipient; /* one address, without a line end */
    const char *message;   /* as it is sent, RFC 5322 */
    idv_time_t now;
} idv_outgoing_mail_draft_t;

/* Queues it; belongs inside of a transaction. */
idv_error_t *idv_outgoing_mail_queue(idv_db_t *db,
                                     const idv_outgoing_mail_draft_t *draft,
                                     const idv_keyring_t *keyring,
                                     apr_pool_t *pool) IDV_CHECKED;

/* An e-mail that this node has to send now. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    int attempts; /* this one included */
    idv_time_t leased_until;
    const char *node;
    idv_bytes_t wrapped_key, sealed;
} idv_outgoing_mail_t;

/* Leases up to LIMIT due e-mails until UNTIL, as an array of
 * idv_outgoing_mail_t. */
idv_error_t *idv_outgoing_mail_claim(idv_db_t *db, const char *node,
                                     idv_time_t until, int limit,
                                     apr_array_header_t **mails,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Opens MAIL; the errors name no more than its id. */
idv_error_t *idv_outgoing_mail_open(const idv_outgoing_mail_t *mail,
                                    const idv_keyring_t *keyring,
                                    const char **recipient,
                                    const char **message,
                                    apr_pool_t *pool) IDV_CHECKED;

/* It was sent, or is given up. */
idv_error_t *idv_outgoing_mail_remove(idv_db_t *db,
                                      const idv_outgoing_mail_t *mail,
                                      apr_pool_t *pool) IDV_CHECKED;

/* It is due again at DUE. */
idv_error_t *idv_outgoing_mail_postpone(idv_db_t *db,
                                        const idv_outgoing_mail_t *mail,
                                        idv_time_t due,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Gives back every e-mail that NODE has leased. */
idv_error_t *idv_outgoing_mail_release(idv_db_t *db, const char *node,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Destroys what waits for person PERSON_ID of ORGANIZATION_ID, whose
 * credentials others have accepted. */
idv_error_t *idv_outgoing_mail_erase_person(idv_db_t *db,
                                            const char *organization_id,
                                            const char *person_id,
                                            apr_pool_t *pool) IDV_CHECKED;

#endif
