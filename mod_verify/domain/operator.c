/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/operator.h"

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
