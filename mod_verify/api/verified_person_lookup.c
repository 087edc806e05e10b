/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verified_person/lookup: who of the organization's users was verified.
 */
#include "api/response.h"
#include "api/write.h"
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
    const idv_reuse_demand_t demand = {
        .min_strength = lookup->input.min_strength,
        .max_age_days = lookup->input.max_age,
        .methods = lookup->input.methods,
    };

    return result_json(idv_reuse_filter(&demand, lookup->credentials,
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
