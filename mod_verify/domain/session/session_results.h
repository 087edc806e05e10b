/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_RESULTS_H
#define IDV_DOMAIN_SESSION_SESSION_RESULTS_H

/*
 * The record of a session's findings, oldest first: one entry per outcome of a
 * submission, per passive check, and for the use of a VP token. It is the
 * session's member `results` (JSON array, NULL while empty) and the expansion
 * of that name.
 *
 * Memory: texts live in the given pool. Threads: pure. Failures: none, because
 * only text written here is read.
 */
#include "core/json_writer.h"
#include "domain/method/method.h"
#include "domain/method/method_outcome.h"

#define IDV_SESSION_RESULTS_MAX 50 /* entries; the newest are kept */

/* An entry. A NULL member is written as null, except the assessment. */
typedef struct {
    const char *method; /* its value, or "vp_token" */
    const char *status; /* "passed", ...; for a passive check the risk level */
    idv_assurance_t assurance; /* of the evidence; NONE: null */
    const char *hint;
    const char *error_code;
    const idv_method_check_t *checks; /* in the order in which they were made */
    int check_count;
    const char *risk_assessment_id; /* for a passive check; NULL: absent */
    const idv_attestation_t *attestation; /* NULL: absent */
    idv_time_t completed_at;
} idv_session_result_t;

/* RESULTS with RESULT appended. */
const char *idv_session_results_add(const char *results,
                                    const idv_session_result_t *result,
                                    apr_pool_t *pool);

/* The newest entry, without its checks; NULL if there is none. */
const idv_session_result_t *idv_session_results_newest(const char *results,
                                                       apr_pool_t *pool);

/* Whether the newest finding about a face is a challenge that was passed, so that no
 * match has used its still. */
int idv_session_results_have_still(const char *results, apr_pool_t *pool);

/* The entry that provides the session's facts, without its checks: among those
 * that passed, the last of the highest assurance. NULL: nothing passed. */
const idv_session_result_t *idv_session_results_best(const char *results,
                                                     apr_pool_t *pool);

/* Writes RESULTS under KEY without anything that passed: omits passed entries,
 * and passed checks from the others. */
void idv_session_results_write_failed(idv_json_writer_t *writer,
                                      const char *key, const char *results);

/* A credential minted by the session. */
typedef struct {
    const char *hash;                      /* by which the credential can be
                                            * named */
    const idv_session_result_t *otherwise; /* the entry that carries it if no
                                            * method was passed (a sandbox) */
} idv_session_minted_t;

/* Writes RESULTS under KEY; the last passed entry carries the hash of a
 * credential. */
void idv_session_results_write_minted(idv_json_writer_t *writer,
                                      const char *key, const char *results,
                                      const idv_session_minted_t *minted);

#endif
