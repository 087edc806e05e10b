/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/keys: API keys, which only operators create.
 *
 * The text of a key appears only in the response to its creation. For an
 * Idempotency-Key, this response is stored sealed, like that of an endpoint's
 * creation.
 */
#include <apr_strings.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "store/account/organization.h"

#define EXPECTED_LENGTH 600

static const char *const types[] = {"secret", "publishable", NULL};

static void write_scopes(idv_json_writer_t *object, idv_key_scopes_t scopes)
{
    if (scopes == IDV_KEY_SCOPES_ALL) {
        idv_json_put_null(object, "scopes");
        return;
    }
    idv_json_open_array(object, "scopes");
    for (int i = 0; i < IDV_KEY_SCOPE_COUNT; i++)
        if (idv_key_scopes_have(scopes, i))
            idv_json_put_text(object, NULL, idv_key_scope_names[i]);
    idv_json_close_array(object);
}

/* TEXT is the text of a new key, otherwise NULL. */
static void write_key(idv_json_writer_t *object, const idv_api_key_t *key,
                      const char *text)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", key->id);
    idv_json_put_text(object, "object", "api_key");
    idv_json_put_text(object, "application_id", key->application_id);
    idv_json_put_text(object, "type", idv_key_type_name(key->type));
    idv_json_put_text(object, "label", key->label);
    write_scopes(object, key->scopes);
    idv_json_put_text(object, "last_characters", key->last_characters);
    idv_json_put_seconds(object, "last_used_at", key->last_used);
    idv_json_put_seconds(object, "expires_at", key->expires);
    idv_json_put_seconds(object, "revoked_at", key->revoked);
    idv_json_put_seconds(object, "created", key->created);
    if (text)
        idv_json_put_text(object, "key", text);
    idv_json_close_object(object);
}

static const char *key_text(const idv_api_key_t *key, const char *text,
                            apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_key(&object, key, text);
    return idv_json_writer_text(&object, NULL);
}

/* --- lists --- */

static idv_error_t *read_keys(idv_db_t *db, idv_listing_t *listing,
                              apr_pool_t *pool)
{
    return idv_api_key_page(
        db,
        &(const idv_page_query_t){
            .scope = {.organization_id = listing->request->organization_id},
            .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_listed(idv_json_writer_t *page, const void *element,
                         apr_pool_t *pool)
{
    (void)pool;
    write_key(page, *(idv_api_key_t *const *)element, NULL);
}

idv_error_t *idv_api_key_api_list(idv_request_t *request)
{
    static const idv_list_t keys = {IDV_ID_API_KEY, read_keys, write_listed};

    return idv_list_respond(request, &keys);
}

/* --- creation --- */

typedef struct {
    const char *type;
    const char *application_id;
    const char *label;
    const json_t *scopes;
    apr_int64_t expires_at;
} create_input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER_OF(STRING, create_input_t, type, IDV_REQUIRED, types),
    IDV_PARAMETER(ID, create_input_t, application_id, IDV_NULLABLE,
                  IDV_ID_APPLICATION, 0),
    IDV_PARAMETER(STRING, create_input_t, label, IDV_NULLABLE, 1,
                  IDV_API_KEY_LABEL_MAX),
    IDV_PARAMETER_OF(STRINGS, create_input_t, scopes, IDV_NULLABLE,
                     idv_key_scope_names),
    IDV_PARAMETER(INTEGER, create_input_t, expires_at, IDV_NULLABLE, 1,
                  IDV_LATEST_SECOND),
    {0},
};

typedef struct {
    const idv_request_t *request;
    idv_api_key_request_t wanted;
} creation_t;

static int operator_may(const idv_request_t *request, idv_role_t role)
{
    return idv_operator_grants_allow(
        request->services->operator_grants(request), role,
        request->organization_id);
}

/* The scopes that the operator may give to a key. */
static idv_key_scopes_t scopes_of_operator(const idv_request_t *request)
{
    idv_key_scopes_t scopes = 0;

    if (operator_may(request, IDV_ROLE_ADMIN))
        return IDV_KEY_SCOPES_ALL;
    for (int i = 0; i < IDV_KEY_SCOPE_COUNT; i++)
        if (operator_may(request, idv_key_scope_role(i)))
            scopes |= IDV_KEY_SCOPE_BIT(i);
    return scopes;
}

/* The scopes of a new key: the requested ones (NULL: no request), or all that
 * the operator may give. */
static idv_error_t *choose_scopes(const idv_request_t *request,
                                  const json_t *asked,
                                  idv_key_scopes_t *scopes)
{
    idv_key_scopes_t given = scopes_of_operator(request);

    *scopes = asked ? 0 : given;
    for (size_t i = 0; i < json_array_size(asked); i++) {
        const char *name = json_string_value(json_array_get(asked, i));
        idv_key_scope_t scope = idv_key_scope_of_name(name);
        idv_error_t *error;

        *scopes |= IDV_KEY_SCOPE_BIT(scope);
        if (idv_key_scopes_have(given, scope))
            continue;
        error = idv_error_new(IDV_E_OPERATOR_ROLE_REQUIRED, request->pool);
        error->message =
            apr_psprintf(request->pool, "The scope %s needs the role %s.", name,
                         idv_role_name(idv_key_scope_role(scope)));
        return error;
    }
    return NULL;
}

#define ENDS_REVIEWS                                                           \
    (IDV_KEY_SCOPE_BIT(IDV_KEY_SCOPE_SESSIONS_CANCEL)                          \
     | IDV_KEY_SCOPE_BIT(IDV_KEY_SCOPE_SESSIONS_FLAG))

/* A secret key flags and cancels like a server, without a second person. If two
 * people are needed for that, only some roles may create such keys. */
static idv_error_t *check_role(idv_db_t *db, const creation_t *creation,
                               apr_pool_t *pool)
{
    idv_four_eyes_t switches;
    idv_error_t *error;

    if (creation->wanted.type != IDV_KEY_SECRET || creation->wanted.by_admin
        || !(creation->wanted.scopes & ENDS_REVIEWS))
        return NULL;
    IDV_TRY(idv_organization_four_eyes(db, creation->wanted.organization_id,
                                       &switches, pool));
    if (!switches.reject)
        return NULL;
    error = idv_error_new(IDV_E_OPERATOR_ROLE_REQUIRED, pool);
    error->message = "A secret key can end reviews. Because this organization "
                     "requires two people to reject, creating one requires "
                     "the role admin.";
    return error;
}

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const creation_t *creation = baton;
    idv_api_key_t *key;
    const char *text;

    IDV_TRY(check_role(db, creation, pool));
    IDV_TRY(idv_api_key_create(db, &creation->wanted, &key, &text, pool));
    *answer = key_text(key, text, pool);
    return NULL;
}

idv_error_t *idv_api_key_api_create(idv_request_t *request)
{
    create_input_t input = {0};
    creation_t creation = {
        .request = request,
        .wanted.organization_id = request->organization_id};
    idv_api_key_request_t *wanted = &creation.wanted;
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = create, .baton = &creation};

    IDV_TRY(idv_request_parameters(request, create_parameters, &input, NULL));
    wanted->application_id = input.application_id;
    wanted->type = idv_key_type_of_name(input.type);
    wanted->label = input.label;
    wanted->expires = input.expires_at * IDV_SECOND;
    wanted->by_admin = operator_may(request, IDV_ROLE_ADMIN);
    if (wanted->type == IDV_KEY_SECRET)
        IDV_TRY(choose_scopes(request, input.scopes, &wanted->scopes));
    else if (input.scopes)
        return idv_error_param(request->pool, "scopes",
                               "Only secret keys have scopes.");
    return idv_write(request, &write);
}

/* --- revocation --- */

static idv_error_t *revoke_key(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    const char *id = idv_request_path(request, "id");
    idv_api_key_t *key;

    if (!idv_id_is(IDV_ID_API_KEY, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(
        idv_api_key_revoke(db, request->organization_id, id, &key, pool));
    *answer = key_text(key, NULL, pool);
    return NULL;
}

idv_error_t *idv_api_key_api_revoke(idv_request_t *request)
{
    const idv_write_t write = {
        .status = HTTP_OK, .work = revoke_key, .baton = request};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}
