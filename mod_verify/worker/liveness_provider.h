/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_LIVENESS_PROVIDER_H
#define IDV_WORKER_LIVENESS_PROVIDER_H

/*
 * The provider that the operator has chosen to look at liveness challenges, too
 * (VerifyLivenessProvider). The watchdog sends it the pictures of a challenge that
 * has passed this service's own checks, and reads its signed answer
 * (methods/face/provider_answer.h has both forms). No request and no transaction
 * waits for it: the session stays `processing`, as while evidence is read, and the
 * widget's wait ends with the outcome.
 *
 * The exchange is HTTPS with certificates on both sides, under the deadline of the
 * configuration, IDV_LIVENESS_PROVIDER_TIMEOUT_MOST at most, and with the address
 * guard of webhooks. Whatever goes wrong, in the exchange or with the answer, is an
 * answer that is undetermined and has a fault; it is logged, without anything of
 * the person or of the session.
 *
 * Threads: those of worker/worker.h. Memory: a client lives as long as the
 * process; an exchange lives in the pool of its question and ends with it without
 * calling back; pictures are wiped with that pool.
 */
#include "methods/face/provider_answer.h"
#include "worker/worker.h"

/* Lease of an analysis minus the longest time of reading. */
#define IDV_LIVENESS_PROVIDER_TIMEOUT_MOST (15 * IDV_SECOND)

/* Exchanges for which a place of the readers is given free meanwhile; those
 * beyond keep theirs, so that pictures do not pile up in memory. */
#define IDV_LIVENESS_PROVIDER_EXCHANGES 8

typedef struct idv_liveness_provider_t idv_liveness_provider_t;

/* What the directives name. */
typedef struct {
    const char *certificate, *key, *signer; /* files */
} idv_liveness_provider_files_t;

/* Reads FILES into CONFIG, which lives in POOL; an error names the file. */
idv_error_t *idv_liveness_provider_load(
    const idv_liveness_provider_files_t *files,
    idv_liveness_provider_config_t *config, apr_pool_t *pool) IDV_CHECKED;

/* The configuration of WORKER has to have a provider. */
idv_error_t *idv_liveness_provider_create(idv_worker_t *worker,
                                          idv_liveness_provider_t **provider,
                                          apr_pool_t *pool) IDV_CHECKED;

/* Told once for each question, never from inside idv_liveness_provider_ask();
 * ANSWER lives in the pool of the question. */
typedef void idv_liveness_provider_done_t(void *baton,
                                          const idv_provider_answer_t *answer);

/* Asks of EVIDENCE. An error is for want of memory only. */
idv_error_t *idv_liveness_provider_ask(idv_liveness_provider_t *provider,
                                       const idv_provider_evidence_t *evidence,
                                       idv_liveness_provider_done_t *done,
                                       void *baton,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
