/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_SESSION_REUSE_SEARCH_H
#define IDV_API_SESSION_REUSE_SEARCH_H

/*
 * The search of a creation for earlier verifications, and what is written when
 * one of them satisfies the session; domain/session/reuse_decision.h decides in
 * between. In the order of its use: begin, find, decide, and, with the session,
 * write.
 *
 * Where what other organizations' persons share was looked up, the session is
 * written at a whole multiple of IDV_REUSE_ANSWER_GRID, so that no time tells
 * whether somebody was found; and the person of a grant is told by e-mail.
 *
 * Memory: what is found lives in the pools given, the search borrows from the
 * request. Threads: that of the request.
 */
#include "api/http/request.h"
#include "domain/session/session_create.h"
#include "store/session/credential_record.h"

/* Many times as long as a decision takes, so that next to none is late for its
 * multiple because of what it found. */
#define IDV_REUSE_ANSWER_GRID apr_time_from_msec(10)

typedef struct {
    const idv_request_t *request;
    const idv_session_create_params_t *params;
    idv_person_query_t person; /* digests of the identifiers given */
    idv_reuse_found_t found;
    const idv_session_t *session; /* that is to be written */
    /* Attempts of accept_existing, and seconds until the next one; 0: they
     * were not counted yet. */
    int attempts, retry_after;
    /* Flag: the asking of trust reuse was counted; seconds until the next one
     * when there were too many. */
    int asked, ask_again_after;
    int without_trust;            /* what was shared has just been revoked */
    int looked_across;            /* at what other organizations share */
    int mail_queued;              /* wake the watchdog for it */
} idv_reuse_search_t;

/* Begins: digests the e-mail address and the phone number that PARAMS name,
 * whose text is not kept. */
void idv_reuse_search_begin(const idv_request_t *request,
                            const idv_session_create_params_t *params,
                            idv_reuse_search_t *search);

/* Non-zero when a session in WORKFLOW cannot be decided on before
 * idv_reuse_search_find() has asked the database. */
int idv_reuse_is_sought(const idv_reuse_search_t *search,
                        const idv_workflow_t *workflow);

/* Counts the attempt, once, and fills CONTEXT, which has the workflow already,
 * with what was found. Not in a transaction: an attempt counts when the
 * creation is refused, too. */
idv_error_t *idv_reuse_search_find(idv_reuse_search_t *search, idv_db_t *db,
                                   idv_session_create_context_t *context,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when idv_reuse_search_write() has something to write for SESSION,
 * which is to be created. */
int idv_reuse_search_writes(const idv_reuse_search_t *search,
                            const idv_session_t *session);

/* Inside of the transaction that writes the session: BATON is the search.
 * Locks the credential, so that none is reused that is revoked meanwhile,
 * writes the grant of trust reuse, and keeps what is to be doubted.
 * `no_matching_vp` when the credential was revoked: then
 * idv_reuse_search_retry() says whether to decide anew. */
idv_error_t *idv_reuse_search_write(idv_db_t *db, void *baton,
                                    apr_int64_t *deliveries,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Waits until a whole multiple of IDV_REUSE_ANSWER_GRID since the request came,
 * holding the thread. To be called when others' persons were looked for,
 * between the decision and what it writes, without a connection to the
 * database: whatever is seen from then on, the answer, the session in a list,
 * its webhook, tells by its time nothing of whether there was somebody to
 * decline. */
void idv_reuse_search_wait_for_tick(const idv_reuse_search_t *search);

/* Non-zero when ERROR ended a trust reuse that must not be noticed, as its
 * person withdrew it or others used up what could have paid for it: look and
 * decide again, now without. */
int idv_reuse_search_retry(idv_reuse_search_t *search,
                           const idv_error_t *error);

#endif
