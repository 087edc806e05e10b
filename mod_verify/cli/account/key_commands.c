/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include "store/account/api_key.h"

/* API keys. */

static json_t *scopes_json(idv_key_scopes_t scopes)
{
    json_t *names;

    if (scopes == IDV_KEY_SCOPES_ALL)
        return json_null();
    names = json_array();
    for (int i = 0; i < IDV_KEY_SCOPE_COUNT; i++)
        if (idv_key_scopes_have(scopes, i))
            json_array_append_new(names, json_string(idv_key_scope_names[i]));
    return names;
}

static json_t *api_key_json(const idv_api_key_t *key)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:I}", "id",
        key->id,
        "object", "api_key", "organization_id", key->organization_id,
        "application_id", key->application_id, "type",
        idv_key_type_name(key->type), "last_characters", key->last_characters,
        "label", key->label, "scopes", scopes_json(key->scopes), "last_used_at",
        idv_json_integer_or_null(idv_time_seconds(key->last_used)),
        "expires_at", idv_json_integer_or_null(idv_time_seconds(key->expires)),
        "revoked_at", idv_json_integer_or_null(idv_time_seconds(key->revoked)),
        "created", (json_int_t)idv_time_seconds(key->created));
}

static idv_error_t *read_scopes(const idv_call_t *call, int type,
                                idv_key_scopes_t *scopes)
{
    const char *option = idv_call_option(call, "scope"), *unknown = NULL;

    *scopes = idv_key_scopes_parse(option, ",", &unknown, call->pool);
    if (unknown || *scopes == 0)
        return idv_error_param(call->pool, "scope",
                               "Must be scopes, separated by commas. \"%s\" is "
                               "not a scope.",
                               unknown ? unknown : "");
    return option && type != IDV_KEY_SECRET
             ? idv_error_param(call->pool, "scope",
                               "Only secret keys have scopes.")
             : NULL;
}

IDV_COMMAND(key_create)
{
    static const char *const types[] = {"secret", "publishable", NULL};
    apr_int64_t bounds[2] = {1, IDV_LATEST_SECOND}, expires = 0;
    idv_api_key_request_t request = {
        .organization_id = idv_call_option(call, "org"),
        .application_id = idv_call_option(call, "app"),
        .label = idv_call_option(call, "label"),
        .by_admin = 1, /* verifyctl is not restricted */
    };
    idv_api_key_t *key;
    const char *text;
    int type = 0;

    IDV_TRY(idv_call_choice(call, "type", types, &type));
    IDV_TRY(idv_call_text(call, "label", IDV_API_KEY_LABEL_MAX));
    IDV_TRY(idv_call_number(call, "expires-at", bounds, &expires));
    IDV_TRY(read_scopes(call, type, &request.scopes));
    request.type = (idv_key_type_t)type;
    request.expires = expires * IDV_SECOND;
    IDV_TRY(idv_api_key_create(call->db, &request, &key, &text, call->pool));
    *answer = api_key_json(key);
    json_object_set_new(*answer, "key", json_string(text));
    return NULL;
}

IDV_COMMAND(key_list)
{
    apr_array_header_t *keys;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_api_key_list(call->db, idv_call_option(call, "org"), &keys,
                             call->pool));
    *answer = json_array();
    for (int i = 0; i < keys->nelts; i++)
        json_array_append_new(
            *answer, api_key_json(APR_ARRAY_IDX(keys, i, idv_api_key_t *)));
    return NULL;
}

IDV_COMMAND(key_revoke)
{
    idv_api_key_t *key;

    IDV_TRY(idv_api_key_revoke(call->db, NULL, call->arguments[0], &key,
                               call->pool));
    *answer = api_key_json(key);
    return NULL;
}

static const char *const key_columns[] = {
    "id",           "type",       "label",      "scopes",
    "last_characters",
    "last_used_at", "expires_at", "revoked_at", "created", NULL};

const idv_command_t idv_key_commands[] = {
    {.noun = "key",
     .verb = "create",
     .changes = 1,
     .options = {"org! ORG", "app APP", "type! secret|publishable",
                 "expires-at UNIX", "label TEXT", "scope SCOPE,SCOPE"},
     .run = key_create,
     .help = "create an API key and print it once; --scope restricts it"},
    {.noun = "key",
     .verb = "list",
     .options = {"org! ORG"},
     .run = key_list,
     .columns = key_columns,
     .help = "list the keys of an organization, without the secret part"},
    {.noun = "key",
     .verb = "revoke",
     .changes = 1,
     .arguments = "KEY_ID",
     .run = key_revoke,
     .help = "revoke an API key immediately, on all nodes"},
    {0},
};
