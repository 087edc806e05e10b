/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_WORK_QUEUE_H
#define IDV_STORE_DB_WORK_QUEUE_H

/*
 * The queues of the watchdogs of all nodes, but for webhook deliveries
 * (store/webhook/webhook_delivery.h): submissions that wait for their analysis, and
 * e-mail that waits to be sent.
 *
 * An entry is written in the transaction of what it follows from. A watchdog
 * claims entries with a lease: the row names the node and the end of the lease,
 * and only the holder of that lease can remove or postpone it; without it both
 * change nothing. When a lease ends, its node gives it back, or something has come
 * that the entry waits for (store/method/mdl_request_record.h), the entry may be claimed
 * again: whatever dies in between, the work may be done twice but is
 * never lost.
 *
 * Threads: as in store/db/db.h. Memory: results live in the given pool; mail that
 * was opened is wiped with it. Each function is one statement. Failures: those
 * of store/db/db.h; mail that does not open is internal.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/db.h"

/* --- analysis jobs --- */

/* The submission of a job that is none: a question about evidence, which changes
 * nothing of its session. */
#define IDV_NO_SUBMISSION 0

typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    const char *method;
    int submission;           /* of the session, or IDV_NO_SUBMISSION */
    const char *const *parts; /* of the evidence; NULL-terminated */
    int attempts;             /* this one included */
    idv_time_t leased_until;
    const char *node;
} idv_analysis_job_t;

/* JOB with all its texts in POOL. */
idv_analysis_job_t idv_analysis_job_copy(const idv_analysis_job_t *job,
                                         apr_pool_t *pool);

/* What a node asks for. */
typedef struct {
    const char *node;
    idv_time_t until; /* of the leases */
    int limit;        /* jobs */
    int share;        /* jobs of one organization that the node may have */
    const char *const *served; /* organizations, the last one served last */
    int served_count;
} idv_analysis_claim_t;

/* Leases jobs, as an array of idv_analysis_job_t: first of the organizations
 * that have the fewest being worked on, and of these first of those that were
 * never served, or the longest ago. */
idv_error_t *idv_analysis_job_claim(idv_db_t *db,
                                    const idv_analysis_claim_t *claim,
                                    apr_array_header_t **jobs,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The job is done. */
idv_error_t *idv_analysis_job_remove(idv_db_t *db,
                                     const idv_analysis_job_t *job,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The job is due again at DUE; UNTRIED: this attempt does not count. */
idv_error_t *idv_analysis_job_postpone(idv_db_t *db,
                                       const idv_analysis_job_t *job,
                                       idv_time_t due, int untried,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Gives back every job that NODE has leased. */
idv_error_t *idv_analysis_job_release(idv_db_t *db, const char *node,
                                      apr_pool_t *pool) IDV_CHECKED;

/* --- outgoing mail --- */

/*
 * Recipient and message are personal: they are sealed together under a key of
 * the e-mail's own, which the server's master key wraps. Both go when the
 * e-mail was sent or is given up; nothing but ids is left to be logged.
 */

/* An e-mail to be queued. */
typedef struct {
    const char *organization_id; /* for which it is sent */
    const char *session_id;
    const char *grant_id;  /* that it tells of; NULL: none */
    const char *id;        /* IDV_ID_OUTGOING_MAIL */
    const char *recipient; /* one address, without a line end */
    const char *message;   /* as it is sent, RFC 5322 */
    idv_time_t now;
    idv_time_t useless_at; /* not sent from then on; 0: there is no such time */
} idv_outgoing_mail_draft_t;

/* Queues DRAFT; belongs inside of a transaction. */
idv_error_t *idv_outgoing_mail_queue(idv_db_t *db,
                                     const idv_outgoing_mail_draft_t *draft,
                                     const idv_keyring_t *keyring,
                                     apr_pool_t *pool) IDV_CHECKED;

/* An e-mail that the node has to send now. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    int attempts; /* this one included */
    idv_time_t leased_until;
    idv_time_t useless_at; /* 0: never */
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

/* The e-mail was sent, or is given up. */
idv_error_t *idv_outgoing_mail_remove(idv_db_t *db,
                                      const idv_outgoing_mail_t *mail,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The e-mail is due again at DUE. */
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

/* --- the backlog --- */

/* How much waits in all queues. */
typedef struct {
    apr_int64_t deliveries_new;      /* not tried yet */
    apr_int64_t deliveries_repeated; /* tried in vain so far */
    apr_int64_t analyses;
    apr_int64_t mails;
} idv_backlog_t;

/* Counts each kind up to MOST, so that a large backlog costs no more. */
idv_error_t *idv_backlog_count(idv_db_t *db, int most, idv_backlog_t *backlog,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
