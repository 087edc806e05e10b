/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_SUMMARY_H
#define IDV_DOMAIN_SESSION_SESSION_SUMMARY_H

/*
 * The summary of a session's findings (`verification_result`), and the rule
 * that no session is verified against it.
 *
 * A session is about an age if its type is `age` or it requires an age, and
 * about an identity if its type is `identity` or `student`. Its summary must
 * not deny that: a verified session about an age never has `age_verified`
 * false, and one about an identity never has `identity_verified` false.
 *
 * Memory: texts live in the given pool. Threads: pure. Failures: none, because
 * only text written here is read.
 */
#include "domain/session/session.h"

/* Why SESSION must not end as verified: the evidence shows that the person is
 * too young (`under_age`), leaves the age open (`age_undetermined`) or does not
 * establish the identity (`assurance_insufficient`). NULL: no objection. */
const idv_session_error_t *idv_session_objection(const idv_session_t *session,
                                                 apr_pool_t *pool);

/* The age in completed years stated by the summary; -1: no summary, 0: no age
 * stated. */
int idv_session_summary_age(const idv_session_t *session, apr_pool_t *pool);

/* The summary of SESSION after the evidence was accepted as it is: it affirms
 * what the session is about. If a REVIEWER decides, it proves the required age,
 * and `reviewed` is true. NULL: no summary. */
const char *idv_session_summary_accept(const idv_session_t *session,
                                       int reviewer, apr_pool_t *pool);

/* The summary after an outcome of METHOD with the findings FOUND; BEFORE (NULL:
 * none) is the previous summary. A primary method and its layers are combined
 * into one summary, in any order. */
const char *idv_session_summary_join(const char *before, idv_method_t method,
                                     json_t *found, apr_pool_t *pool);

#endif
