/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_CREATE_H
#define IDV_DOMAIN_SESSION_SESSION_CREATE_H

/*
 * The decisions of POST /v1/verification_sessions, in two halves.
 *
 * idv_session_create_parse() checks the request on its own: the caller's
 * permission, then every parameter in document order, with the path of the
 * first bad one. The handler then looks up what the context names.
 * idv_session_create() checks the request against that, and returns the new
 * session with its event and effects, to be written in one transaction.
 *
 * domain/account/billing.h decides whether the organization may start a
 * verification.
 *
 * Order of errors in the second half: billing_suspended, webhook_required,
 * resource_missing (workflow_id), parameter_invalid (type, jurisdiction),
 * jurisdiction_unresolvable, use_case_prohibited, test_quota_exceeded,
 * vp_token_invalid, accept_existing_rate_limited, email_not_verified,
 * no_matching_vp.
 *
 * Memory: results live in the given pool and borrow from the body and the
 * context. Threads: pure.
 */
#include "domain/account/billing.h"
#include "domain/session/credential.h"
#include "domain/session/session_risk.h"
#include "domain/session/session_step.h"
#include "domain/session/session_view.h"
#include "domain/session/trust_reuse.h"
#include "domain/value/identifier.h"

#define IDV_ACCEPT_EXISTING_ATTEMPTS_MAX 10

/* The parameters, checked and normalized. NULL, 0 or NONE: not given. */
typedef struct {
    idv_session_type_t type;
    const char *workflow_id; /* not checked for existence */
    const char *return_url;
    const char *cancel_url;
    const char *client_reference_id;
    const json_t *metadata;
    const char *jurisdiction; /* normal form */
    const char *custom_user_message;
    const char *locale; /* of the page, a language tag */
    const char *email;  /* normalized; personal: never log */
    const char *phone;  /* normalized; personal: never log */
    int accept_existing;
    idv_strength_t min_strength;
    int max_age_days;
    idv_method_list_t required_methods;
    const char *credential_hash;
    const char *delivery_jurisdiction; /* normal form */
    const char *vp_token;              /* secret: never log */
    int skip_verification;
    const char *captcha_token;
} idv_session_create_params_t;

/* The caller. */
typedef struct {
    int publishable_key;
    int publishable_create_blocked; /* the organization's setting */
    int sandbox;                    /* the organization's flag */
    int sees_outcome; /* flag: an age gate, which sees the outcome without a
                       * webhook */
} idv_session_create_caller_t;

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

/* The current state of the organization. */
typedef struct {
    int has_webhook_endpoint;      /* an enabled one, of any application */
    idv_billing_account_t account; /* in the month of the creation */
    idv_time_t read_at;
} idv_session_create_standing_t;

/* What the store and the server know. */
typedef struct {
    const char *session_id; /* new, from idv_id_new() */
    const char *organization_id;
    const char *application_id; /* of the key; NULL: none */
    const idv_session_create_caller_t *caller;
    const char *workflow_id;
    const char *workflow_version_id;
    const idv_workflow_t *workflow; /* NULL: the caller has no such workflow */
    int billing_suspended;
    idv_session_create_standing_t standing;
    int accept_existing_attempts;    /* for this e-mail in the window, including
                                      * this one */
    int accept_existing_retry_after; /* seconds, if there were too many */
    /* Seconds until the application may look up persons of other organizations
     * again; 0: it may, or does not use trust reuse. */
    int trust_reuse_retry_after;
    idv_reuse_found_t *reuse;            /* NULL: nothing was looked up */
    const char *geo_header;              /* normal form or NULL */
    const char *ip_database;             /* normal form or NULL */
    idv_compliance_lookup_t *compliance; /* NULL: no rules */
    const void *compliance_baton;
} idv_session_create_context_t;

/* Checks the request body. Errors: first publishable_session_create_blocked;
 * then parameter_invalid for the first bad, unknown or (last) missing
 * parameter, for accept_existing without email or phone, and for
 * skip_verification in a live organization; captcha_required. */
idv_error_t *idv_session_create_parse(const json_t *body,
                                      const idv_session_create_caller_t *caller,
                                      idv_session_create_params_t **params,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Decides the creation at NOW; see above for errors and their order. */
idv_error_t *idv_session_create(const idv_session_create_params_t *params,
                                const idv_session_create_context_t *context,
                                idv_time_t now, idv_session_change_t **change,
                                apr_pool_t *pool) IDV_CHECKED;

/* The view of the create response, including CLIENT_SECRET. */
void idv_session_create_view(const idv_session_create_params_t *params,
                             const idv_session_t *session,
                             const char *client_secret,
                             idv_session_view_t *view);

#endif
