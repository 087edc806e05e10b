/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_REVOCATION_FETCHER_H
#define IDV_WORKER_REVOCATION_FETCHER_H

/*
 * Fetches the lists in which issuers publish what they have revoked, when a
 * decision needs them, into the copies of store/trust/revocation_list.h.
 *
 * Their addresses stand in documents and certificates, which strangers sent: they
 * are called by the HTTP client of webhooks, with its guard of addresses
 * (VerifyWebhookAllow), without redirection, by http too, since lists are signed
 * themselves; at most IDV_REVOCATION_LIST_MAX bytes, within five seconds. A copy
 * is used for as long as its list says (methods/mdl/revocation_list.h); an address
 * that gave nothing is tried again after a minute.
 *
 * That a list could not be had is no failure of the decision: it says nothing
 * then.
 *
 * Threads: the watchdog's loop. Memory: see each function. Failures: of the
 * creation; later ones are in the copies, and logged at level `info`.
 */
#include "methods/mdl/revocation_list.h"
#include "worker/worker.h"

/* Addresses of one decision; others are left alone. */
#define IDV_REVOCATION_ADDRESSES_MAX 8

typedef struct idv_revocation_fetcher_t idv_revocation_fetcher_t;

typedef struct {
    const char *const *addresses; /* at most IDV_REVOCATION_ADDRESSES_MAX */
    int count;
    /* Told once, from the loop and never from inside of the call: the copies are
     * as fresh as can be. */
    void (*done)(void *baton);
    void *baton;
} idv_revocation_question_t;

idv_error_t *idv_revocation_fetcher_create(idv_worker_t *worker,
                                           idv_revocation_fetcher_t **fetcher,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Has what QUESTION asks for fetched, unless the copies will do. When POOL is
 * cleared before, nobody is told. */
void idv_revocation_fetch(idv_revocation_fetcher_t *fetcher,
                          const idv_revocation_question_t *question,
                          apr_pool_t *pool);

#endif
