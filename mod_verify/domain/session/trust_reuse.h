/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_TRUST_REUSE_H
#define IDV_DOMAIN_SESSION_TRUST_REUSE_H

/*
 * Trust reuse: one organization accepts a credential of another.
 *
 * It requires the settings of both applications, the accepting workflow, and
 * the person's consent in the first verification. If anything is missing, the
 * answer is that for an unknown user, never an error.
 *
 * Memory: values borrow their strings, texts live in the given pool. Threads:
 * pure. Failures: none.
 */
#include "domain/session/credential.h"

/* The settings of an application. */
typedef struct {
    int enabled;
    int max_age_days;
    int require_same_jurisdiction;
    idv_method_list_t accepted_methods; /* empty: those of the workflow */
    idv_time_t updated;                 /* 0: never set, all defaults */
} idv_trust_reuse_settings_t;

#define IDV_TRUST_REUSE_MAX_AGE_DAYS_DEFAULT 90

/* Disabled, 90 days, same jurisdiction, the workflow's methods. */
void idv_trust_reuse_settings_default(idv_trust_reuse_settings_t *settings);

/* The settings object of the API, as text in POOL. */
const char *
idv_trust_reuse_settings_text(const idv_trust_reuse_settings_t *settings,
                              const char *application_id, apr_pool_t *pool);

/* A credential shared by its person, and its organization. */
typedef struct {
    idv_reusable_t credential;
    const char *organization_id;
} idv_shared_credential_t;

/* Non-zero if the settings allow CREDENTIAL, of another organization, to
 * satisfy SESSION at NOW. */
int idv_trust_reuse_accepts(const idv_trust_reuse_settings_t *settings,
                            const idv_credential_t *credential,
                            const idv_session_t *session, idv_time_t now);

/* Why a grant was revoked. */
#define IDV_GRANT_REVOCATIONS(X)                                               \
    X(USER_REVOKED)              /* by the link in the notification */         \
    X(USER_REVOKED_CONSENT)      /* all sharing was withdrawn */               \
    X(ERASURE_REQUEST)           /* the person was erased */                   \
    X(TARGET_OPERATOR_REVOKED)   /* through the API */                         \
    X(SOURCE_CREDENTIAL_REVOKED) /* the source removed the credential */

typedef enum {
#define X(name) IDV_GRANT_##name,
    IDV_GRANT_REVOCATIONS(X)
#undef X
    IDV_GRANT_REVOCATION_COUNT
} idv_grant_revocation_t;

/* The API value. */
const char *idv_grant_revocation_value(idv_grant_revocation_t reason);

typedef struct {
    const char *organization_id; /* the accepting one */
    const char *id;
    const char *application_id; /* the accepting one */
    const char *source_organization_id;
    const char *source_credential_id;
    const char *session_id;
    const char *verified_person_id; /* of the source organization */
    idv_method_t method;
    idv_age_tier_t age_tier;
    idv_strength_t strength;
    idv_time_t granted_at;
    idv_time_t expires_at;
    idv_time_t revoked_at;      /* 0: valid */
    const char *revoked_reason; /* NULL: valid */
} idv_trust_reuse_grant_t;

/* The person's view of GRANT, which ORGANIZATION holds, as text in POOL. */
const char *idv_trust_reuse_link_text(const idv_trust_reuse_grant_t *grant,
                                      const char *organization, idv_time_t now,
                                      apr_pool_t *pool);

/* The grant object of the API, and `data.object` of its events. */
const char *idv_trust_reuse_grant_text(const idv_trust_reuse_grant_t *grant,
                                       apr_pool_t *pool);

/* `data.object` of trust_reuse_consent.revoked_by_user for one operator; GRANT
 * is one of that operator's grants. */
const char *idv_trust_reuse_consent_text(const idv_trust_reuse_grant_t *grant,
                                         apr_pool_t *pool);

#endif
