/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_REVOCATION_FETCHER_H
#define IDV_WORKER_METHOD_REVOCATION_FETCHER_H

/*
 * Fetches issuers' revocation lists when a decision needs them, into the copies
 * of store/trust/revocation_list.h.
 *
 * Their addresses come from documents and certificates and are untrusted. They
 * are fetched by the HTTP client of webhooks with its address guard
 * (VerifyWebhookAllow), without redirects, also by http, because lists are
 * signed themselves; at most IDV_REVOCATION_LIST_MAX bytes, within five
 * seconds. A copy is used for as long as its list says
 * (methods/mdl/revocation_list.h); a failed address is retried after a minute.
 *
 * An unavailable list does not fail the decision; it is merely inconclusive.
 *
 * Threads: the watchdog's loop. Memory: see each function. Failures: only of
 * the creation; later ones are recorded in the copies and logged at level
 * `info`.
 */
#include "methods/mdl/revocation_list.h"
#include "worker/process/worker.h"

/* Maximum addresses per decision; further ones are ignored. */
#define IDV_REVOCATION_ADDRESSES_MAX 8

typedef struct idv_revocation_fetcher_t idv_revocation_fetcher_t;

typedef struct {
    const char *const *addresses; /* at most IDV_REVOCATION_ADDRESSES_MAX */
    int count;
    /* Called once, from the loop and never from within the call, when the
     * copies are as fresh as possible. */
    void (*done)(void *baton);
    void *baton;
} idv_revocation_question_t;

idv_error_t *idv_revocation_fetcher_create(idv_worker_t *worker,
                                           idv_revocation_fetcher_t **fetcher,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Fetches the lists of QUESTION, unless the copies suffice. If POOL is cleared
 * earlier, nobody is notified. */
void idv_revocation_fetch(idv_revocation_fetcher_t *fetcher,
                          const idv_revocation_question_t *question,
                          apr_pool_t *pool);

#endif
