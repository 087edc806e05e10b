/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_OIDC_ID_TOKEN_H
#define IDV_DOMAIN_OIDC_ID_TOKEN_H

/*
 * The claims of an ID token (OpenID Connect Core 1.0, 2).
 *
 * - Scope `age`: `age_over_13`, `age_over_16`, `age_over_18` and `age_over_21`
 *   as far as they were proved, and the exact age if the law or the workflow
 *   required another. There are no claims with the value false: not proved is
 *   not disproved.
 * - Scope `identity`: `verified_claims` (OpenID Connect for Identity Assurance
 *   1.0). The service keeps no names, so it asserts that the identity was
 *   verified, by which evidence, and with which assurance.
 * - `sub` is pairwise. With `identity` it is the same for one person at all
 *   clients of the organization on one host; otherwise each login has its own.
 * - `auth_time` is the time of the verification with `identity`, and the time
 *   of the login without it: otherwise it would link the logins of a person.
 *
 * Memory: texts live in the given pool. Threads: pure. Failures: none.
 */
#include "core/keyring.h"
#include "domain/oidc/authorization.h"
#include "domain/session/session.h"

#define IDV_OIDC_TOKEN_VALIDITY (5 * IDV_MINUTE)
#define IDV_OIDC_TRUST_FRAMEWORK "mod_verify"

/* How evidence was checked, in values of OpenID Identity Assurance Schema
 * Definition 1.0: name, check method. */
#define IDV_OIDC_CHECKS(X)                                                     \
    X(DOCUMENT_CAPTURE, "vdig")                                                \
    X(MDL, "vcrypt")                                                           \
    X(NFC_PASSPORT, "vcrypt")                                                  \
    X(SELFIE_MATCH, "bvr")

/* Ages with a claim of their own. */
#define IDV_OIDC_AGES(X) X(13) X(16) X(18) X(21)

typedef struct {
    const char *issuer, *client_id;
    const char *subject;          /* idv_oidc_subject() */
    const char *nonce;            /* NULL: none */
    idv_time_t now;
    unsigned scopes;
    int age;                      /* years proved; 0: none */
    const idv_session_t *session; /* verified */
} idv_oidc_id_token_t;

/* The text of the claims, a JSON object. */
const char *idv_oidc_id_token_claims(const idv_oidc_id_token_t *token,
                                     apr_pool_t *pool);

/* The facts that `sub` depends on. */
typedef struct {
    const char *client_id;
    const char *redirect_uri; /* whose host is the sector */
    const char *organization_id;
    const char *login_id;
    const char *person_id; /* NULL: none, or not for this scope */
} idv_oidc_subject_t;

const char *idv_oidc_subject(const idv_keyring_t *keyring,
                             const idv_oidc_subject_t *about, apr_pool_t *pool);

#endif
