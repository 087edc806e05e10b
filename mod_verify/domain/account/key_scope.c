/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/key_scope.h"

#include <apr_strings.h>

#include "core/word_list.h"

const char *const idv_key_scope_names[] = {
#define X(name, value, role) [IDV_KEY_SCOPE_##name] = value,
    IDV_KEY_SCOPES(X)
#undef X
    NULL,
};

static const idv_role_t roles[IDV_KEY_SCOPE_COUNT] = {
#define X(name, value, role) [IDV_KEY_SCOPE_##name] = IDV_ROLE_##role,
    IDV_KEY_SCOPES(X)
#undef X
};

idv_key_scope_t idv_key_scope_of_name(const char *name)
{
    return (idv_key_scope_t)idv_word_find(idv_key_scope_names,
                                          IDV_KEY_SCOPE_COUNT, name);
}

idv_role_t idv_key_scope_role(idv_key_scope_t scope)
{
    return roles[scope];
}

int idv_key_scopes_have(idv_key_scopes_t scopes, idv_key_scope_t scope)
{
    return scope == IDV_KEY_SCOPE_NONE || scopes & IDV_KEY_SCOPE_BIT(scope);
}

idv_key_scopes_t idv_key_scopes_parse(const char *text, const char *separators,
                                      const char **unknown, apr_pool_t *pool)
{
    idv_key_scopes_t scopes = 0;
    char *state, *names;

    if (!text)
        return IDV_KEY_SCOPES_ALL;
    names = apr_pstrdup(pool, text);
    for (char *name = apr_strtok(names, separators, &state); name;
         name = apr_strtok(NULL, separators, &state)) {
        idv_key_scope_t scope = idv_key_scope_of_name(name);

        if (scope != IDV_KEY_SCOPE_NONE)
            scopes |= IDV_KEY_SCOPE_BIT(scope);
        else if (unknown)
            *unknown = name;
    }
    return scopes;
}

const char *idv_key_scopes_text(idv_key_scopes_t scopes, apr_pool_t *pool)
{
    const char *text = "";

    if (scopes == IDV_KEY_SCOPES_ALL)
        return NULL;
    for (int i = 0; i < IDV_KEY_SCOPE_COUNT; i++)
        if (idv_key_scopes_have(scopes, i))
            text = apr_pstrcat(pool, text, *text ? " " : "",
                               idv_key_scope_names[i], NULL);
    return text;
}
