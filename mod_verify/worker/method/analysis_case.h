/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_ANALYSIS_CASE_H
#define IDV_WORKER_METHOD_ANALYSIS_CASE_H

/*
 * What the watchdog knows about a submission, or about a question, while its
 * method handles the findings (worker/method/analysis_method.h).
 *
 * Memory: the pool of the submission, which is wiped. Threads: the loop's.
 * Failures: none; types only.
 */
#include "domain/method/analysis_protocol.h"
#include "domain/session/session.h"
#include "methods/face/provider_answer.h"
#include "worker/process/worker.h"

/* A submission, or a question about evidence, which does not change the
 * session. */
typedef struct {
    const idv_watchdog_config_t *config;
    const idv_session_t *session;
    const idv_workflow_t *workflow; /* of the session; NULL before it is read */
    const idv_analysis_request_t *request; /* including the evidence */
    int is_question;
    const char *job; /* id of the job */
    int submission; /* number within the session */
    /* The provider's answer (worker/method/liveness_provider.h); NULL: not asked. */
    const idv_provider_answer_t *provider;
} idv_analysis_case_t;

#endif
