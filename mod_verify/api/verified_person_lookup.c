/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verified_person/lookup: who of the organization's users was verified.
 */
#include "api/action_record.h"
#include "api/response.h"
#include "api/write.h"
#include "core/json_writer.h"
#include "store/credential_record.h"

typedef struct {
    const char *email;
    const char *phone;
    idv_method_list_t methods;
    idv_strength_t min_strength;
    int max_age;
} lookup_input_t;

static const idv_parameter_t lookup_parameters[] = {
    IDV_PARAMETER(EMAIL, lookup_input_t, email, 0, 1, 1000),
    IDV_PARAMETER(PHONE, lookup_input_t, phone, 0, 1, 255),
    IDV_PARAMETER(METHODS, lookup_input_t, methods, IDV_REPEATABLE, 0,
                  IDV_METHOD_COUNT),
    IDV_PARAMETER(STRENGTH, lookup_input_t, min_strength, 0, 1, 64),
    IDV_PARAMETER(MAX_AGE_NUMBER, lookup_input_t, max_age, 0, 1, 255),
    {0},
};

typedef struct {
    const idv_request_t *request;
    lookup_input_t input;
    apr_array_header_t *credentials;
    const char *answer;
} lookup_t;

static idv_error_t *read_input(lookup_t *lookup)
{
    const lookup_input_t *input = &lookup->input;

    IDV_TRY(idv_request_parameters(lookup->request, lookup_parameters,
                                   &lookup->input, NULL));
    if (!input->email && !input->phone)
        return idv_error_param(lookup->request->pool, "email",
                               "At least one of email and phone is required.");
    return NULL;
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    lookup_t *lookup = baton;
    const idv_keyring_t *keyring = lookup->request->services->keyring;
    idv_person_query_t query = {
        .organization_id = lookup->request->key->organization_id,
        .email =
            idv_identifier_digest(keyring, "email", lookup->input.email, pool),
        .phone =
            idv_identifier_digest(keyring, "phone", lookup->input.phone, pool),
    };

    return idv_credentials_of_person(db, &query, lookup->request->now,
                                     &lookup->credentials, pool);
}

#define EXPECTED_LENGTH 500

static void write_credential(idv_json_writer_t *object,
                             const idv_credential_t *proof)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "method", idv_method_upper(proof->method));
    idv_json_put_text(object, "strength", idv_strength_upper(proof->strength));
    idv_json_put_text(object, "verified_at",
                      idv_time_iso8601(proof->verified_at, object->pool));
    idv_json_put_text(object, "expires_at",
                      idv_time_iso8601(proof->expires_at, object->pool));
    idv_json_close_object(object);
}

/* All MATCHES are one person's. */
static const char *result_text(const apr_array_header_t *matches,
                               apr_pool_t *pool)
{
    const char *person = matches->nelts
                           ? APR_ARRAY_IDX(matches, 0, const idv_reusable_t *)
                                 ->verified_person_id
                           : NULL;
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "verified_person_lookup");
    idv_json_put_boolean(&object, "verified", person != NULL);
    idv_json_put_text(&object, "verified_person_id", person);
    idv_json_open_array(&object, "credentials");
    for (int i = 0; i < matches->nelts; i++)
        write_credential(
            &object, &APR_ARRAY_IDX(matches, i, const idv_reusable_t *)->proof);
    idv_json_close_array(&object);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

static idv_error_t *find_once(idv_db_t *db, void *baton, const char **answer,
                              apr_pool_t *pool)
{
    const lookup_t *lookup = baton;
    const idv_reuse_demand_t demand = {
        .min_strength = lookup->input.min_strength,
        .max_age_days = lookup->input.max_age,
        .methods = lookup->input.methods,
    };

    IDV_TRY(find(db, baton, pool));
    *answer = result_text(idv_reuse_filter(&demand, lookup->credentials,
                                           lookup->request->now, pool),
                          pool);
    return NULL;
}

/* It changes nothing, but that an operator looks for somebody is recorded. */
static idv_error_t *find_plainly(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    lookup_t *lookup = baton;

    IDV_TRY(find_once(db, lookup, &lookup->answer, pool));
    return idv_record_action(db, lookup->request, &(idv_recorded_t){0}, pool);
}

/* It changes nothing, but as for every POST an answer to an Idempotency-Key
 * is given again. */
idv_error_t *idv_verified_person_lookup(idv_request_t *request)
{
    lookup_t lookup = {.request = request};
    idv_write_t write = {
        .status = HTTP_OK, .work = find_once, .baton = &lookup};

    IDV_TRY(read_input(&lookup));
    if (apr_table_get(request->r->headers_in, "Idempotency-Key"))
        return idv_write(request, &write);
    IDV_TRY(idv_request_with_database(request, find_plainly, &lookup));
    return idv_respond_text(request, HTTP_OK, lookup.answer);
}
