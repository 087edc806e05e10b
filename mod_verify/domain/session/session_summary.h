/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_SUMMARY_H
#define IDV_DOMAIN_SESSION_SESSION_SUMMARY_H

/*
 * The summary of what was found in a session (`verification_result`), and the
 * rule that no session is verified against it.
 *
 * A session is about an age when it is of type `age` or requires an age, and
 * about who somebody is when it is of type `identity` or `student`. Its summary
 * must not deny that: a verified session about an age never has `age_verified`
 * false, and one about a person never has `identity_verified` false.
 *
 * Memory: texts live in the given pool. Threads: pure. Nothing fails: what is
 * read here was written here.
 */
#include "domain/session/session.h"

/* Why SESSION must not end as verified: the evidence shows somebody too young
 * (`under_age`), leaves the age open (`age_undetermined`) or does not say who
 * somebody is (`assurance_insufficient`). NULL: nothing speaks against it. */
const idv_session_error_t *idv_session_objection(const idv_session_t *session,
                                                 apr_pool_t *pool);

/* The age in completed years that the summary states; -1: there is no summary,
 * 0: it states none. */
int idv_session_summary_age(const idv_session_t *session, apr_pool_t *pool);

/* The summary of SESSION after somebody accepted the evidence as it is: it
 * claims what the session is about. Where a REVIEWER's word is what decides, it
 * proves the age that is required, and `reviewed` is true. NULL: there is no
 * summary. */
const char *idv_session_summary_accept(const idv_session_t *session,
                                       int reviewer, apr_pool_t *pool);

/* The summary after an outcome of METHOD that FOUND so much, when BEFORE (NULL:
 * none) was the one until then. A primary method and the layers next to it join
 * in one summary, in whatever order they came. */
const char *idv_session_summary_join(const char *before, idv_method_t method,
                                     json_t *found, apr_pool_t *pool);

#endif
