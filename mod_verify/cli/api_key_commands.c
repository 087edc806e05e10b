/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "store/api_key.h"

static json_t *api_key_json(const idv_api_key_t *key)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s, s:o, s:o, s:I}", "id", key->id,
        "object", "api_key", "organization_id", key->organization_id,
        "application_id", key->application_id, "type",
        idv_key_type_name(key->type), "last_characters", key->last_characters,
        "expires_at", idv_json_integer_or_null(idv_time_seconds(key->expires)),
        "revoked_at", idv_json_integer_or_null(idv_time_seconds(key->revoked)),
        "created", (json_int_t)idv_time_seconds(key->created));
}

IDV_COMMAND(idv_command_key_create)
{
    static const char *const types[] = {"secret", "publishable", NULL};
    apr_int64_t bounds[2] = {1, IDV_LATEST_SECOND}, expires = 0;
    idv_api_key_request_t request = {
        .organization_id = idv_call_option(call, "org"),
        .application_id = idv_call_option(call, "app"),
    };
    idv_api_key_t *key;
    const char *text;
    int type = 0;

    IDV_TRY(idv_call_choice(call, "type", types, &type));
    IDV_TRY(idv_call_number(call, "expires-at", bounds, &expires));
    request.type = (idv_key_type_t)type;
    request.expires = expires * IDV_SECOND;
    IDV_TRY(idv_api_key_create(call->db, &request, &key, &text, call->pool));
    *answer = api_key_json(key);
    json_object_set_new(*answer, "key", json_string(text));
    return NULL;
}

IDV_COMMAND(idv_command_key_list)
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

IDV_COMMAND(idv_command_key_revoke)
{
    idv_api_key_t *key;

    IDV_TRY(idv_api_key_revoke(call->db, call->arguments[0], &key, call->pool));
    *answer = api_key_json(key);
    return NULL;
}
