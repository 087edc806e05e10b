/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_SESSION_CREATE_H
#define IDV_DOMAIN_TRANSITION_SESSION_CREATE_H

/*
 * The decision of POST /v1/verification_sessions.
 *
 * domain/session/session_request.h checks the request on its own. The handler
 * then looks up what the context names. idv_session_create() checks the request
 * against that, and returns the new session with its event and effects, to be
 * written in one transaction.
 *
 * domain/account/billing.h decides whether the organization may start a
 * verification, domain/session/reuse_decision.h whether an earlier one
 * satisfies the session.
 *
 * Order of errors: billing_suspended, webhook_required,
 * resource_missing (workflow_id), parameter_invalid (type, jurisdiction),
 * jurisdiction_unresolvable, use_case_prohibited, test_quota_exceeded,
 * vp_token_invalid, accept_existing_rate_limited, email_not_verified,
 * no_matching_vp.
 *
 * Memory: results live in the given pool and borrow from the body and the
 * context. Threads: pure.
 */
#include "domain/account/billing.h"
#include "domain/session/reuse_decision.h"
#include "domain/session/session_risk.h"
#include "domain/session/session_view.h"
#include "domain/transition/session_change.h"

/* The current state of the organization. */
typedef struct {
    int has_webhook_endpoint;      /* an enabled one, of any application */
    idv_billing_account_t account; /* in the month of the creation */
    idv_time_t read_at;
    idv_time_t counted_at; /* account.under_way; not after read_at */
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
    idv_reuse_lookups_t lookups;
    idv_reuse_found_t *reuse;            /* NULL: nothing was looked up */
    const char *geo_header;              /* normal form or NULL */
    const char *ip_database;             /* normal form or NULL */
    idv_compliance_lookup_t *compliance; /* NULL: no rules */
    const void *compliance_baton;
} idv_session_create_context_t;

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
