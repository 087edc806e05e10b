/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_WORK_QUEUE_H
#define IDV_STORE_DB_WORK_QUEUE_H

/*
 * The queues for the watchdogs of all nodes, except webhook deliveries
 * (store/webhook/webhook_delivery.h): submissions waiting for analysis, and
 * e-mail waiting to be sent.
 *
 * An entry is written in the transaction of its cause. A watchdog claims
 * entries with a lease: the row names the node and the end of the lease, and
 * only the holder of that lease can remove or postpone it; without the lease
 * both have no effect. An entry can be claimed again when the lease expires,
 * when its node releases it, or when something arrived that it waits for
 * (store/method/mdl_request_record.h). Whatever crashes in between, work may be
 * done twice but is never lost.
 *
 * Threads: as in store/db/db.h. Memory: results live in the given pool;
 * decrypted mail is wiped with it. Each function is one statement. Failures:
 * those of store/db/db.h; mail that does not open is internal.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/db.h"

/* --- analysis jobs --- */

/* The submission number of a job without one: a question about evidence, which
 * does not change its session. */
#define IDV_NO_SUBMISSION 0

typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    const char *method;
    int submission;           /* of the session, or IDV_NO_SUBMISSION */
    const char *const *parts; /* of the evidence; NULL-terminated */
    int attempts;             /* including this one */
    idv_time_t leased_until;
    const char *node;
    const idv_trace_context_t *trace; /* of the request, or NULL */
} idv_analysis_job_t;

/* A copy of JOB with all its texts in POOL. */
idv_analysis_job_t idv_analysis_job_copy(const idv_analysis_job_t *job,
                                         apr_pool_t *pool);

/* A node's request for jobs. */
typedef struct {
    const char *node;
    idv_time_t until;          /* of the leases */
    int limit;                 /* jobs */
    int share;                 /* maximum for one organization on this node */
    const char *const *served; /* organizations, most recently served last */
    int served_count;
} idv_analysis_claim_t;

/* Leases jobs, an array of idv_analysis_job_t: first of organizations with the
 * fewest running jobs, among these first of those never served or served
 * longest ago. */
idv_error_t *idv_analysis_job_claim(idv_db_t *db,
                                    const idv_analysis_claim_t *claim,
                                    apr_array_header_t **jobs,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Removes a finished job. */
idv_error_t *idv_analysis_job_remove(idv_db_t *db,
                                     const idv_analysis_job_t *job,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Makes the job due again at DUE; UNTRIED: this attempt does not count. */
idv_error_t *idv_analysis_job_postpone(idv_db_t *db,
                                       const idv_analysis_job_t *job,
                                       idv_time_t due, int untried,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Releases all jobs leased by NODE. */
idv_error_t *idv_analysis_job_release(idv_db_t *db, const char *node,
                                      apr_pool_t *pool) IDV_CHECKED;

/* --- outgoing mail --- */

/*
 * Recipient and message are personal: they are sealed together under a key of
 * the e-mail's own, which the master key wraps. Both are deleted when the
 * e-mail was sent or given up; only ids are left for the log.
 */

/* An e-mail to queue. */
typedef struct {
    const char *organization_id; /* on whose behalf it is sent */
    const char *session_id;
    const char *grant_id;  /* the grant it announces; NULL: none */
    const char *id;        /* IDV_ID_OUTGOING_MAIL */
    const char *recipient; /* one address, without a line end */
    const char *message;   /* the complete message, RFC 5322 */
    idv_time_t now;
    idv_time_t useless_at; /* not sent from then on; 0: no limit */
} idv_outgoing_mail_draft_t;

/* Queues DRAFT. Requires a transaction. */
idv_error_t *idv_outgoing_mail_queue(idv_db_t *db,
                                     const idv_outgoing_mail_draft_t *draft,
                                     const idv_keyring_t *keyring,
                                     apr_pool_t *pool) IDV_CHECKED;

/* An e-mail to be sent by this node now. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *id;
    int attempts; /* including this one */
    idv_time_t leased_until;
    idv_time_t useless_at; /* 0: never */
    const char *node;
    idv_bytes_t wrapped_key, sealed;
} idv_outgoing_mail_t;

/* A claim of due e-mails by NODE, until then and at most so many. */
typedef struct {
    const char *node;
    idv_time_t until;
    int limit;
} idv_outgoing_mail_claim_t;

/* Leases up to LIMIT due e-mails until UNTIL, as an array of
 * idv_outgoing_mail_t. */
idv_error_t *idv_outgoing_mail_claim(idv_db_t *db,
                                     const idv_outgoing_mail_claim_t *claim,
                                     apr_array_header_t **mails,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Decrypts MAIL; errors contain nothing but its id. */
idv_error_t *idv_outgoing_mail_open(const idv_outgoing_mail_t *mail,
                                    const idv_keyring_t *keyring,
                                    const char **recipient,
                                    const char **message,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Removes an e-mail that was sent or given up. */
idv_error_t *idv_outgoing_mail_remove(idv_db_t *db,
                                      const idv_outgoing_mail_t *mail,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Makes the e-mail due again at DUE. */
idv_error_t *idv_outgoing_mail_postpone(idv_db_t *db,
                                        const idv_outgoing_mail_t *mail,
                                        idv_time_t due,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Releases all e-mails leased by NODE. */
idv_error_t *idv_outgoing_mail_release(idv_db_t *db, const char *node,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Destroys waiting e-mail to person PERSON_ID of ORGANIZATION_ID about grants
 * of that person's credentials. */
idv_error_t *idv_outgoing_mail_erase_person(idv_db_t *db,
                                            const char *organization_id,
                                            const char *person_id,
                                            apr_pool_t *pool) IDV_CHECKED;

/* --- the backlog --- */

/* The number of waiting entries in all queues. */
typedef struct {
    apr_int64_t deliveries_new;      /* not tried yet */
    apr_int64_t deliveries_repeated; /* tried without success so far */
    apr_int64_t analyses;
    apr_int64_t mails;
} idv_backlog_t;

/* Counts each kind up to MOST, which bounds the cost of a large backlog. */
idv_error_t *idv_backlog_count(idv_db_t *db, int most, idv_backlog_t *backlog,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
