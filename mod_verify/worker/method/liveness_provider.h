/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_LIVENESS_PROVIDER_H
#define IDV_WORKER_METHOD_LIVENESS_PROVIDER_H

/*
 * The optional external provider that also checks liveness challenges
 * (VerifyLivenessProvider). The watchdog sends it the pictures of a challenge
 * that passed this service's own checks, and reads its signed answer
 * (methods/face/provider_answer.h has both formats). No request and no
 * transaction waits for it: the session remains `processing`, as while evidence
 * is read, and the widget's wait ends with the outcome.
 *
 * The exchange is HTTPS with certificates on both sides, within the configured
 * deadline (at most IDV_LIVENESS_PROVIDER_TIMEOUT_MOST), with the address guard
 * of webhooks. Any failure of the exchange or the answer gives an undetermined
 * answer with a fault; it is logged without data of the person or the session.
 *
 * Threads: as in worker/process/worker.h. Memory: a client lives as long as the
 * process. An exchange lives in the pool of its question and ends with it
 * without a callback; pictures are wiped with that pool.
 */
#include "methods/face/provider_answer.h"
#include "worker/process/worker.h"

/* The lease of an analysis minus the maximum reading time. */
#define IDV_LIVENESS_PROVIDER_TIMEOUT_MOST (15 * IDV_SECOND)

/* Number of exchanges that release their reader's place while they wait for the
 * provider. Further ones keep their places, so that pictures do not pile up in
 * memory. */
#define IDV_LIVENESS_PROVIDER_EXCHANGES 8

typedef struct idv_liveness_provider_t idv_liveness_provider_t;

/* The files named by the directives. */
typedef struct {
    const char *certificate, *key, *signer; /* files */
} idv_liveness_provider_files_t;

/* Reads FILES into CONFIG, in POOL; an error names the file. */
idv_error_t *idv_liveness_provider_load(
    const idv_liveness_provider_files_t *files,
    idv_liveness_provider_config_t *config, apr_pool_t *pool) IDV_CHECKED;

/* The configuration of WORKER must have a provider. */
idv_error_t *idv_liveness_provider_create(idv_worker_t *worker,
                                          idv_liveness_provider_t **provider,
                                          apr_pool_t *pool) IDV_CHECKED;

/* Called once per question, never from within idv_liveness_provider_ask();
 * ANSWER lives in the pool of the question. */
typedef void idv_liveness_provider_done_t(void *baton,
                                          const idv_provider_answer_t *answer);

/* Asks about EVIDENCE. Fails only for lack of memory. */
idv_error_t *idv_liveness_provider_ask(idv_liveness_provider_t *provider,
                                       const idv_provider_evidence_t *evidence,
                                       idv_liveness_provider_done_t *done,
                                       void *baton,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
