/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verified_person/lookup: who of the organization's users was verified.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/parameters.h"
#include "api/response.h"
#include "api/write.h"
#include "domain/identifier.h"
#include "domain/max_age.h"
#include "store/verified_person.h"

typedef struct {
    const char *email;
    const char *phone;
    const json_t *methods;
    const char *min_strength;
    const char *max_age;
} lookup_input_t;

static const idv_parameter_t lookup_parameters[] = {
    IDV_PARAMETER(STRING, lookup_input_t, email, 0, 1, 1000),
    IDV_PARAMETER(STRING, lookup_input_t, phone, 0, 1, 255),
    IDV_PARAMETER(STRINGS, lookup_input_t, methods, 0, 0, IDV_METHOD_COUNT),
    IDV_PARAMETER(STRING, lookup_input_t, min_strength, 0, 1, 64),
    IDV_PARAMETER(STRING, lookup_input_t, max_age, 0, 1, 255),
    {0},
};

typedef struct {
    const idv_request_t *request;
    lookup_input_t input;
    const char *email;
    const char *phone;
    idv_reuse_demand_t demand;
    apr_array_header_t *credentials;
} lookup_t;

static idv_error_t *read_methods(lookup_t *lookup, const json_t *methods)
{
    apr_pool_t *pool = lookup->request->pool;
    size_t index;
    json_t *value;

    json_array_foreach (methods, index, value) {
        idv_method_t method = idv_method_parse(json_string_value(value));

        if (method == IDV_METHOD_NONE)
            return idv_error_param(
                pool, apr_psprintf(pool, "methods[%d]", (int)index),
                "Must be a method.");
        idv_method_list_add(&lookup->demand.methods, method);
    }
    return NULL;
}

static idv_error_t *read_strength(lookup_t *lookup, const char *value)
{
    lookup->demand.min_strength = idv_strength_parse(value);
    if (lookup->demand.min_strength == IDV_STRENGTH_NONE)
        return idv_error_param(lookup->request->pool, "min_strength",
                               "Must be a credential strength.");
    return NULL;
}

/* The value of one parameter, whose type was checked. */
static idv_error_t *read_value(void *baton, const char *name)
{
    lookup_t *lookup = baton;
    const lookup_input_t *input = &lookup->input;
    apr_pool_t *pool = lookup->request->pool;

    if (strcmp(name, "email") == 0)
        return idv_email_normalize(input->email, name, &lookup->email, pool);
    if (strcmp(name, "phone") == 0)
        return idv_phone_normalize(input->phone, name, &lookup->phone, pool);
    if (strcmp(name, "methods") == 0)
        return read_methods(lookup, input->methods);
    if (strcmp(name, "min_strength") == 0)
        return read_strength(lookup, input->min_strength);
    return idv_max_age_parse(input->max_age, IDV_MAX_AGE_LOOKUP, name,
                             &lookup->demand.max_age_days, pool);
}

static idv_error_t *read_input(lookup_t *lookup)
{
    IDV_TRY(idv_parameters_read_each(lookup->request, lookup_parameters,
                                     &lookup->input, read_value, lookup));
    if (!lookup->email && !lookup->phone)
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
        .email = idv_identifier_digest(keyring, "email", lookup->email, pool),
        .phone = idv_identifier_digest(keyring, "phone", lookup->phone, pool),
    };

    return idv_verified_person_find(db, &query, lookup->request->now,
                                    &lookup->credentials, pool);
}

static json_t *credential_json(const idv_credential_t *proof, apr_pool_t *pool)
{
    return json_pack("{s:s, s:s, s:s, s:s}", "method",
                     idv_method_upper(proof->method), "strength",
                     idv_strength_upper(proof->strength), "verified_at",
                     idv_time_iso8601(proof->verified_at, pool), "expires_at",
                     idv_time_iso8601(proof->expires_at, pool));
}

static json_t *result_json(const apr_array_header_t *matches, apr_pool_t *pool)
{
    json_t *credentials = json_array();
    const char *person = NULL;

    for (int i = 0; i < matches->nelts; i++) {
        const idv_reusable_t *one =
            APR_ARRAY_IDX(matches, i, const idv_reusable_t *);

        person = one->verified_person_id;
        json_array_append_new(credentials, credential_json(&one->proof, pool));
    }
    return json_pack("{s:s, s:b, s:s?, s:o}", "object",
                     "verified_person_lookup", "verified", person != NULL,
                     "verified_person_id", person, "credentials", credentials);
}

static json_t *lookup_json(const lookup_t *lookup, apr_pool_t *pool)
{
    return result_json(idv_reuse_filter(&lookup->demand, lookup->credentials,
                                        lookup->request->now, pool),
                       pool);
}

static idv_error_t *find_once(idv_db_t *db, void *baton, const char **answer,
                              apr_pool_t *pool)
{
    IDV_TRY(find(db, baton, pool));
    *answer = idv_json_text(idv_json_own(lookup_json(baton, pool), pool), pool);
    return NULL;
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
    IDV_TRY(idv_request_with_database(request, find, &lookup));
    return idv_respond_json(request, HTTP_OK,
                            lookup_json(&lookup, request->pool));
}
