/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "store/credential_record.h"

static json_t *credential_json(const idv_credential_record_t *record)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s, s:s, s:s, s:s?, s:I, s:I, s:o, s:b,"
        " s:O}",
        "id", record->id, "object", "credential", "organization_id",
        record->organization_id, "verified_person_id",
        record->verified_person_id, "session_id", record->session_id, "method",
        record->method, "strength", record->strength, "assurance",
        record->assurance, "age_tier", record->age_tier, "verified_at",
        (json_int_t)idv_time_seconds(record->verified_at), "expires_at",
        (json_int_t)idv_time_seconds(record->expires_at), "revoked_at",
        idv_json_integer_or_null(idv_time_seconds(record->revoked_at)),
        "shared", record->shared, "tokens", record->tokens);
}

static json_t *credentials_json(const apr_array_header_t *credentials)
{
    json_t *array = json_array();

    for (int i = 0; i < credentials->nelts; i++)
        json_array_append_new(
            array, credential_json(APR_ARRAY_IDX(credentials, i,
                                                 idv_credential_record_t *)));
    return array;
}

IDV_COMMAND(idv_command_person_show)
{
    idv_person_record_t person;
    json_t *kinds;

    IDV_TRY(idv_person_show(call->db, call->arguments[0], &person, call->pool));
    kinds = json_array();
    for (const char *const *kind = person.identifiers; *kind; kind++)
        json_array_append_new(kinds, json_string(*kind));
    *answer = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "id", call->arguments[0],
        "object", "verified_person", "organization_id", person.organization_id,
        "identifiers", kinds, "created",
        idv_json_integer_or_null(idv_time_seconds(person.created)), "erased_at",
        idv_json_integer_or_null(idv_time_seconds(person.erased_at)),
        "credentials", credentials_json(person.credentials));
    return NULL;
}

IDV_COMMAND(idv_command_credential_list)
{
    apr_array_header_t *credentials;

    IDV_TRY(idv_credential_list_minted(
        call->db, idv_call_option(call, "session"), &credentials, call->pool));
    *answer = credentials_json(credentials);
    return NULL;
}

IDV_COMMAND(idv_command_credential_revoke)
{
    idv_credential_record_t *credential;
    int grants;

    IDV_TRY(idv_credential_revoke(call->db, call->arguments[0], idv_time_now(),
                                  &credential, &grants, call->pool));
    *answer = credential_json(credential);
    json_object_set_new(*answer, "grants_revoked", json_integer(grants));
    return NULL;
}

IDV_COMMAND(idv_command_token_revoke)
{
    idv_credential_record_t *credential;

    IDV_TRY(idv_vp_token_revoke(call->db, call->arguments[0], idv_time_now(),
                                &credential, call->pool));
    *answer = credential_json(credential);
    return NULL;
}
