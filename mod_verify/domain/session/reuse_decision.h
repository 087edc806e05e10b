/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_REUSE_DECISION_H
#define IDV_DOMAIN_SESSION_REUSE_DECISION_H

/*
 * Whether a session is satisfied by an earlier verification: while it is being
 * created by accept_existing, credential_hash or vp_token, or by one that
 * another organization made (trust reuse); later, while it waits for the
 * person, by a vp_token.
 *
 * A credential has to satisfy what the request asks for (min_strength, max_age,
 * required_methods), the session's age, the rules of its jurisdiction, the
 * weakest primary method by which a person could pass the workflow now, and the
 * highest assurance that a node of the workflow demands: what was worth less
 * when it was verified is worth no more when it is used again.
 *
 * What must be proved before a look-up is asked before its result is looked
 * at, so that no answer tells who is known. Browsers (publishable keys) can
 * name any address, so for them the proof of ownership is always needed, and
 * before it nothing is looked up or counted by what they name; so it is with
 * every way of reuse where the workflow demands it.
 *
 * A workflow may demand that a token is used by its own person (vp_token,
 * same_person): then the session has to name an e-mail address or phone number
 * of that person and no other one, and a server has to have named it.
 *
 * Trust reuse is tried where nothing of the organization's own was found. When
 * it declines, for whatever reason, all goes on as for an unknown user.
 *
 * Memory: everything is borrowed. Threads: pure.
 */
#include "domain/session/credential.h"
#include "domain/session/session_create.h"

/* A creation, before anything is looked up for it. */
typedef struct {
    const idv_session_create_params_t *params;
    const idv_workflow_t *workflow; /* NULL: the caller has no such one */
    int is_browser;                 /* flag: a publishable key calls */
    int has_application;            /* flag: the key is one of an application */
    int tells_by_mail; /* flag: the server tells of each grant by e-mail */
} idv_reuse_wish_t;

/* Non-zero when what persons share with other organizations may be looked up
 * for WISH. It takes a server that names the person and nothing else to reuse,
 * and somebody who can be told of the grant: where that is done by e-mail,
 * nobody is looked for by a phone number alone. */
int idv_reuse_seeks_shared(const idv_reuse_wish_t *wish);

/* Decides for SESSION, as it is to be created. *PATH is IDV_PATH_FRESH when
 * nothing is reused; else reuse->chosen or reuse->granted is the credential.
 * Errors: vp_token_invalid, accept_existing_rate_limited, email_not_verified,
 * no_matching_vp. */
idv_error_t *idv_reuse_decide(const idv_session_create_params_t *params,
                              const idv_session_create_context_t *context,
                              const idv_session_t *session, idv_time_t now,
                              idv_verification_path_t *path,
                              apr_pool_t *pool) IDV_CHECKED;

/* A token that is shown in an open session. */
typedef struct {
    const idv_session_t *session;
    const idv_workflow_t *workflow;        /* of the session */
    const apr_array_header_t *credentials; /* valid, const idv_reusable_t * */
    idv_same_person_t same_person;
} idv_reuse_redemption_t;

/* The same for a session that is open, by a token. Errors: vp_token_invalid
 * when it has no credentials, or the workflow demands that the session is its
 * person's and nothing shows it; otp_not_proven, no_matching_vp. */
idv_error_t *idv_reuse_redeem(const idv_reuse_redemption_t *redemption,
                              idv_time_t now, const idv_reusable_t **chosen,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
