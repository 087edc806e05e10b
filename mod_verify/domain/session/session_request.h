/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_REQUEST_H
#define IDV_DOMAIN_SESSION_SESSION_REQUEST_H

/*
 * The request for a new session (POST /v1/verification_sessions), checked on its
 * own: the caller's permission, then every parameter in document order, with the
 * path of the first bad one. domain/transition/session_create.h decides about
 * it.
 *
 * Memory: results live in the given pool and borrow from the body. Threads:
 * pure.
 */
#include "core/json.h"
#include "domain/method/method.h"
#include "domain/value/session_type.h"

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
    int sees_outcome; /* flag: an age gate or a login, which sees the outcome
                       * without a webhook */
} idv_session_create_caller_t;

/* Checks the request body. Errors: first publishable_session_create_blocked;
 * then parameter_invalid for the first bad, unknown or (last) missing
 * parameter, for accept_existing without email or phone, and for
 * skip_verification in a live organization; captcha_required. */
idv_error_t *idv_session_create_parse(const json_t *body,
                                      const idv_session_create_caller_t *caller,
                                      idv_session_create_params_t **params,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
