/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/operator.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned rights;
} roles[IDV_ROLE_COUNT] = {
#define X(role, name, rights) [IDV_ROLE_##role] = {name, rights},
    IDV_ROLES(X)
#undef X
};

const char *idv_role_name(idv_role_t role)
{
    return roles[role].name;
}

idv_role_t idv_role_of_name(const char *name)
{
    for (int role = 0; role < IDV_ROLE_COUNT; role++)
        if (roles[role].name && strcmp(roles[role].name, name) == 0)
            return (idv_role_t)role;
    return IDV_ROLE_NONE;
}

int idv_role_allows(idv_role_t held, idv_role_t needed)
{
    if (needed == IDV_ROLE_NONE)
        return 0;
    return needed == IDV_ROLE_ANY || (roles[held].rights & (1u << needed)) != 0;
}

int idv_operator_grant_allows(const idv_operator_grant_t *grant,
                              idv_role_t needed, const char *organization_id)
{
    int is_everywhere =
        strcmp(grant->organization_id, IDV_OPERATOR_EVERYWHERE) == 0;

    if (!idv_role_allows(grant->role, needed))
        return 0;
    return is_everywhere
        || (needed != IDV_ROLE_SERVICE
            && (!organization_id
                || strcmp(grant->organization_id, organization_id) == 0));
}

int idv_operator_grants_allow(const apr_array_header_t *grants,
                              idv_role_t needed, const char *organization_id)
{
    for (int i = 0; i < grants->nelts; i++)
        if (idv_operator_grant_allows(
                &APR_ARRAY_IDX(grants, i, idv_operator_grant_t), needed,
                organization_id))
            return 1;
    return 0;
}

const char *const *idv_operator_organizations(const apr_array_header_t *grants,
                                              apr_pool_t *pool)
{
    const char **ids =
        apr_pcalloc(pool, sizeof(*ids) * ((apr_size_t)grants->nelts + 1));

    for (int i = 0; i < grants->nelts; i++) {
        ids[i] =
            APR_ARRAY_IDX(grants, i, idv_operator_grant_t).organization_id;
        if (strcmp(ids[i], IDV_OPERATOR_EVERYWHERE) == 0)
            return NULL;
    }
    return ids;
}
