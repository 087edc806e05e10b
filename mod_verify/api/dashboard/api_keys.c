/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/keys: API keys, which only operators make.
 *
 * The text of a key is in the answer to its creation and nowhere else. Such an
 * answer is kept for its Idempotency-Key as that of an endpoint's creation is:
 * sealed.
 */
#include "api/response.h"
#include "api/write.h"
#include "store/organization.h"

#define EXPECTED_LENGTH 600

static const char *const types[] = {"secret", "publishable", NULL};

/* TEXT: of a new key; NULL: it is not shown. */
static void write_key(idv_json_writer_t *object, const idv_api_key_t *key,
                      const char *text)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", key->id);
    idv_json_put_text(object, "object", "api_key");
    idv_json_put_text(object, "application_id", key->application_id);
    idv_json_put_text(object, "type", idv_key_type_name(key->type));
    idv_json_put_text(object, "label", key->label);
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
    return idv_api_key_page(db, listing->request->organization_id,
                            &listing->cursor, &listing->items,
                            &listing->has_more, pool);
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
    apr_int64_t expires_at;
} create_input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER_OF(STRING, create_input_t, type, IDV_REQUIRED, types),
    IDV_PARAMETER(ID, create_input_t, application_id, IDV_NULLABLE,
                  IDV_ID_APPLICATION, 0),
    IDV_PARAMETER(STRING, create_input_t, label, IDV_NULLABLE, 1,
                  IDV_API_KEY_LABEL_MAX),
    IDV_PARAMETER(INTEGER, create_input_t, expires_at, IDV_NULLABLE, 1,
                  IDV_LATEST_SECOND),
    {0},
};

typedef struct {
    const idv_request_t *request;
    idv_api_key_request_t wanted;
} creation_t;

/* A secret key flags and cancels as a server does, which needs nobody else: where
 * two people are needed for that, not everybody makes one. */
static idv_error_t *check_role(idv_db_t *db, const creation_t *creation,
                               apr_pool_t *pool)
{
    idv_four_eyes_t switches;
    idv_error_t *error;

    if (creation->wanted.type != IDV_KEY_SECRET
        || idv_operator_grants_allow(
            creation->request->services->operator_grants(creation->request),
            IDV_ROLE_ADMIN, creation->wanted.organization_id))
        return NULL;
    IDV_TRY(idv_organization_four_eyes(db, creation->wanted.organization_id,
                                       &switches, pool));
    if (!switches.reject)
        return NULL;
    error = idv_error_new(IDV_E_OPERATOR_ROLE_REQUIRED, pool);
    error->message = "A secret key ends reviews as a server does. Where two "
                     "people are needed to reject, this needs the role admin.";
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
