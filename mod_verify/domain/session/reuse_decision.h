/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_REUSE_DECISION_H
#define IDV_DOMAIN_SESSION_REUSE_DECISION_H

/*
 * Decides whether an earlier verification satisfies a session: at its creation
 * by accept_existing, credential_hash, vp_token, or a verification by another
 * organization (trust reuse); later, while the session waits for the person, by
 * a vp_token.
 *
 * A credential must satisfy the request (min_strength, max_age,
 * required_methods), the session's age, the rules of its jurisdiction, the
 * weakest primary method that can pass the workflow now, and the highest
 * assurance that a node of the workflow demands. A verification that was weaker
 * than this when it was made is not accepted when it is reused.
 *
 * Required proofs are checked before the result of a lookup, so that no answer
 * reveals who is known. Browsers (publishable keys) can name any address, so
 * for them proof of ownership is always required; until it is given, nothing is
 * looked up or counted by the address. If the workflow demands the proof, the
 * same applies to every kind of reuse.
 *
 * A workflow can require that a token is used by its own person (vp_token,
 * same_person). Then a server must have named an e-mail address or phone number
 * of that person in the session, and none of anybody else.
 *
 * Trust reuse is tried only if the organization has no credential of its own.
 * If it declines, for whatever reason, the session continues as for an unknown
 * user.
 *
 * Memory: everything is borrowed. Threads: pure.
 */
#include "domain/session/credential.h"
#include "domain/session/session_request.h"
#include "domain/session/session_risk.h"
#include "domain/session/trust_reuse.h"

#define IDV_ACCEPT_EXISTING_ATTEMPTS_MAX 10

/* A creation before any lookup. */
typedef struct {
    const idv_session_create_params_t *params;
    const idv_workflow_t *workflow; /* NULL: the caller has no such workflow */
    int is_browser;                 /* flag: the key is publishable */
    int has_application;            /* flag: the key belongs to an
                                     * application */
    int tells_by_mail; /* flag: grants are announced to the person by e-mail */
} idv_reuse_wish_t;

/* Non-zero if credentials that persons share with other organizations may be
 * looked up for WISH. This requires a server that names the person and nothing
 * else to reuse, and a way to notify the person of the grant: if that is
 * e-mail, a phone number alone is not enough. */
int idv_reuse_seeks_shared(const idv_reuse_wish_t *wish);

/* Known earlier verifications and the decision on them. */
typedef struct {
    /* Valid credentials of the person, token or hash named in the request
     * (const idv_reusable_t *). */
    const apr_array_header_t *credentials;
    const idv_reusable_t *chosen;  /* set if it satisfies the session */
    idv_same_person_t same_person; /* whether the token's user is its person */
    /* Credentials that the person shares with this application (const
     * idv_shared_credential_t *), NULL: not looked up; and the application's
     * settings. */
    const apr_array_header_t *shared;
    idv_trust_reuse_settings_t settings;
    const idv_shared_credential_t *granted; /* set instead of CHOSEN */
} idv_reuse_found_t;

/* Lookups that count against a limit. */
typedef struct {
    int accept_existing_attempts;    /* for this e-mail in the window, including
                                      * this one */
    int accept_existing_retry_after; /* seconds, if there were too many */
    /* Seconds until the application may look up persons of other organizations
     * again; 0: it may, or does not use trust reuse. */
    int trust_reuse_retry_after;
} idv_reuse_lookups_t;

/* A creation after all lookups. */
typedef struct {
    const idv_session_create_params_t *params;
    const idv_session_t *session; /* as about to be created */
    const idv_workflow_t *workflow;
    int is_browser; /* flag: the key is publishable */
    idv_reuse_lookups_t lookups;
    idv_reuse_found_t *found; /* NULL: nothing was looked up */
} idv_reuse_request_t;

/* Decides REQUEST at NOW. *PATH is IDV_PATH_FRESH if nothing is reused; otherwise
 * found->chosen or found->granted is the credential. Errors: vp_token_invalid,
 * accept_existing_rate_limited, email_not_verified, no_matching_vp. */
idv_error_t *idv_reuse_decide(const idv_reuse_request_t *request,
                              idv_time_t now, idv_verification_path_t *path,
                              apr_pool_t *pool) IDV_CHECKED;

/* A token presented in an open session. */
typedef struct {
    const idv_session_t *session;
    const idv_workflow_t *workflow;        /* of the session */
    const apr_array_header_t *credentials; /* valid, const idv_reusable_t * */
    idv_same_person_t same_person;
} idv_reuse_redemption_t;

/* Likewise for an open session and a token. Errors: vp_token_invalid if the
 * token has no credentials, or the workflow requires the token's own person and
 * nothing shows it; otp_not_proven, no_matching_vp. */
idv_error_t *idv_reuse_redeem(const idv_reuse_redemption_t *redemption,
                              idv_time_t now, const idv_reusable_t **chosen,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
