/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_SESSION_REUSE_SEARCH_H
#define IDV_API_SESSION_REUSE_SEARCH_H

/*
 * Searches for earlier verifications when a session is created, and writes the
 * records if one of them satisfies the session. domain/session/reuse_decision.h
 * decides in between. Order of calls: begin, find, decide, and write along with
 * the session.
 *
 * If persons shared by other organizations were searched, the session is
 * written at a whole multiple of IDV_REUSE_ANSWER_GRID, so that timing does not
 * reveal whether somebody was found. The person of a grant is notified by
 * e-mail.
 *
 * Memory: findings live in the given pools; the search borrows from the
 * request. Threads: that of the request.
 */
#include "api/http/request.h"
#include "domain/transition/session_create.h"
#include "store/session/attempt_limit.h"
#include "store/session/credential_record.h"

/* Many times as long as a decision takes, so that findings hardly ever delay a
 * session past its multiple. */
#define IDV_REUSE_ANSWER_GRID apr_time_from_msec(10)

typedef struct {
    const idv_request_t *request;
    const idv_session_create_params_t *params;
    idv_person_query_t person; /* digests of the identifiers given */
    idv_reuse_found_t found;
    const idv_session_t *session; /* the session to be written */
    /* Attempts of accept_existing, and seconds until the next one; 0: not
     * counted yet. */
    idv_attempt_count_t counted;
    /* Flag: the trust reuse lookup was counted. Seconds until the next one if
     * there were too many. */
    int asked, ask_again_after;
    int without_trust; /* flag: the shared credential has just been
                        * revoked */
    int looked_across; /* flag: other organizations' credentials were
                        * searched */
    int mail_queued;   /* flag: wake the watchdog for it */
} idv_reuse_search_t;

/* Begins: digests the e-mail address and the phone number in PARAMS; their text
 * is not kept. */
void idv_reuse_search_begin(const idv_request_t *request,
                            const idv_session_create_params_t *params,
                            idv_reuse_search_t *search);

/* Non-zero if a session in WORKFLOW cannot be decided on before
 * idv_reuse_search_find() has queried the database. */
int idv_reuse_is_sought(const idv_reuse_search_t *search,
                        const idv_workflow_t *workflow);

/* Counts the attempt, once, and adds the findings to CONTEXT, whose workflow is
 * already set. Call it outside a transaction: an attempt also counts if the
 * creation is refused. */
idv_error_t *idv_reuse_search_find(idv_reuse_search_t *search, idv_db_t *db,
                                   idv_session_create_context_t *context,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if idv_reuse_search_write() has something to write for SESSION,
 * which is about to be created. */
int idv_reuse_search_writes(const idv_reuse_search_t *search,
                            const idv_session_t *session);

/* Runs inside the transaction that writes the session; BATON is the search.
 * Locks the credential so that none is reused after a concurrent revocation,
 * writes the grant of trust reuse, and stores doubts. `no_matching_vp` if the
 * credential was revoked: then idv_reuse_search_retry() says whether to decide
 * again. */
idv_error_t *idv_reuse_search_write(idv_db_t *db, void *baton,
                                    apr_int64_t *deliveries,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Waits for the next whole multiple of IDV_REUSE_ANSWER_GRID since the request
 * arrived, holding the thread. Call it after other organizations' persons were
 * searched, between the decision and its writes, without a database connection.
 * The timing of everything visible afterwards (the answer, the session in a
 * list, its webhook) then does not reveal whether there was somebody to
 * decline. */
void idv_reuse_search_wait_for_tick(const idv_reuse_search_t *search);

/* Non-zero if ERROR ended a trust reuse that must stay unnoticed, because its
 * person withdrew it or others used up the money for it: search and decide
 * again, now without it. */
int idv_reuse_search_retry(idv_reuse_search_t *search,
                           const idv_error_t *error);

#endif
