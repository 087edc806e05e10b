/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_RESULTS_H
#define IDV_DOMAIN_SESSION_SESSION_RESULTS_H

/*
 * The record of what was found in a session, oldest first: one entry for each
 * outcome of a submission, each passive check, and the use of a VP token. It is
 * the member `results` of the session (JSON array, NULL while there is nothing)
 * and the expansion of that name.
 *
 * Memory: texts live in the given pool. Threads: pure. Nothing fails: what is
 * read here was written here.
 */
#include "core/json_writer.h"
#include "domain/method/method.h"
#include "domain/method/method_outcome.h"

#define IDV_SESSION_RESULTS_MAX 50 /* entries; the newest are kept */

/* An entry. What is NULL is null, but for the assessment. */
typedef struct {
    const char *method; /* its value, or "vp_token" */
    const char *status; /* "passed", ...; of a passive check the level of risk */
    idv_assurance_t assurance; /* of what was read; NONE: null */
    const char *hint;
    const char *error_code;
    const idv_method_check_t *checks; /* in the order they were made */
    int check_count;
    const char *risk_assessment_id; /* of a passive check; NULL: absent */
    const idv_attestation_t *attestation; /* NULL: absent */
    idv_time_t completed_at;
} idv_session_result_t;

/* RESULTS with RESULT behind them. */
const char *idv_session_results_add(const char *results,
                                    const idv_session_result_t *result,
                                    apr_pool_t *pool);

/* The newest entry, without its checks; NULL: there is none. */
const idv_session_result_t *idv_session_results_newest(const char *results,
                                                       apr_pool_t *pool);

/* The entry of which the facts of the session are: of those that passed, the
 * last of the greatest assurance, without its checks. NULL: nothing passed. */
const idv_session_result_t *idv_session_results_best(const char *results,
                                                     apr_pool_t *pool);

/* Writes RESULTS under KEY without what passed: neither entries that did, nor
 * of the others the checks that did. */
void idv_session_results_write_failed(idv_json_writer_t *writer,
                                      const char *key, const char *results);

/* A credential that the session minted. */
typedef struct {
    const char *hash;                      /* by which it can be named */
    const idv_session_result_t *otherwise; /* the entry it stands in when no
                                            * method was passed (a sandbox) */
} idv_session_minted_t;

/* Writes RESULTS under KEY with the hash of a credential in the last entry that
 * passed. */
void idv_session_results_write_minted(idv_json_writer_t *writer,
                                      const char *key, const char *results,
                                      const idv_session_minted_t *minted);

#endif
