/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_KEY_SCOPE_H
#define IDV_DOMAIN_ACCOUNT_KEY_SCOPE_H

/*
 * Scopes of a restricted API key, chosen at creation. Each route of a secret
 * key names the one scope that it needs (api/routes.def). Each scope names the
 * role that an operator needs to grant it. This is the role that the operator
 * needs for the routes of the scope, so no key exceeds the role of the operator
 * who created it.
 *
 * A key without a restriction has IDV_KEY_SCOPES_ALL, which includes future
 * routes. Publishable keys have no scopes.
 *
 * Names are part of the API: add, never rename.
 *
 * Threads: pure. Memory: constant data; texts live in the given pool. Failures:
 * none.
 */
#include <apr_pools.h>

#include "domain/account/operator.h"

/* Name, value, role. */
#define IDV_KEY_SCOPES(X)                                                      \
    X(SESSIONS_READ, "sessions:read", AUDITOR)                                 \
    X(SESSIONS_WRITE, "sessions:write", DEVELOPER)                             \
    X(SESSIONS_CANCEL, "sessions:cancel", REVIEWER)                            \
    X(SESSIONS_FLAG, "sessions:flag", REVIEWER)                                \
    X(PERSONS_LOOKUP, "persons:lookup", REVIEWER)                              \
    X(EVENTS_READ, "events:read", AUDITOR)                                     \
    X(ENDPOINTS_READ, "webhook_endpoints:read", AUDITOR)                       \
    X(ENDPOINTS_WRITE, "webhook_endpoints:write", DEVELOPER)                   \
    X(COMPLIANCE_READ, "compliance:read", AUDITOR)                             \
    X(RISK_READ, "risk:read", AUDITOR)                                         \
    X(RISK_WRITE, "risk:write", DEVELOPER)                                     \
    X(TRUST_REUSE_READ, "trust_reuse:read", AUDITOR)                           \
    X(TRUST_REUSE_WRITE, "trust_reuse:write", ADMIN)

typedef enum {
    IDV_KEY_SCOPE_NONE = -1, /* no scope needed */
#define X(name, value, role) IDV_KEY_SCOPE_##name,
    IDV_KEY_SCOPES(X)
#undef X
    IDV_KEY_SCOPE_COUNT
} idv_key_scope_t;

/* All names, NULL-terminated, in the order of the list. */
extern const char *const idv_key_scope_names[];

/* A set of scopes, one bit each; or all scopes. */
typedef apr_uint32_t idv_key_scopes_t;
#define IDV_KEY_SCOPE_BIT(scope) ((idv_key_scopes_t)1 << (scope))
#define IDV_KEY_SCOPES_ALL ((idv_key_scopes_t)~0u)

/* The scope of this name; IDV_KEY_SCOPE_NONE if unknown. */
idv_key_scope_t idv_key_scope_of_name(const char *name);

/* The role that an operator needs to grant SCOPE to a key. */
idv_role_t idv_key_scope_role(idv_key_scope_t scope);

/* Non-zero if SCOPES include SCOPE. */
int idv_key_scopes_have(idv_key_scopes_t scopes, idv_key_scope_t scope);

/* The scopes named in TEXT, separated by SEPARATORS; NULL means all. Unknown
 * names are skipped; unless UNKNOWN is NULL, *UNKNOWN is set to one. */
idv_key_scopes_t idv_key_scopes_parse(const char *text, const char *separators,
                                      const char **unknown, apr_pool_t *pool);

/* The names of SCOPES separated by spaces; NULL for all. */
const char *idv_key_scopes_text(idv_key_scopes_t scopes, apr_pool_t *pool);

#endif
