/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/person_lookup.h"

#include "core/json_writer.h"
#include "store/session/credential_record.h"

#define EXPECTED_LENGTH 500

const idv_parameter_t idv_person_lookup_parameters[] = {
    IDV_PARAMETER(EMAIL, idv_person_lookup_t, email, 0, 1, 1000),
    IDV_PARAMETER(PHONE, idv_person_lookup_t, phone, 0, 1, 255),
    IDV_PARAMETER(METHODS, idv_person_lookup_t, methods, IDV_REPEATABLE, 0,
                  IDV_METHOD_COUNT),
    IDV_PARAMETER(STRENGTH, idv_person_lookup_t, min_strength, 0, 1, 64),
    IDV_PARAMETER(MAX_AGE_NUMBER, idv_person_lookup_t, max_age, 0, 1, 255),
    {0},
};

idv_error_t *idv_person_lookup_check(const idv_person_lookup_t *lookup,
                                     apr_pool_t *pool)
{
    return lookup->email || lookup->phone
             ? NULL
             : idv_error_param(
                 pool, "email",
                 "or `phone` is required. Pass at least one of them.");
}

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

idv_error_t *idv_person_lookup(idv_db_t *db,
                               const idv_person_lookup_place_t *place,
                               const idv_person_lookup_t *lookup,
                               const char **answer, apr_pool_t *pool)
{
    const idv_person_query_t query = {
        .organization_id = place->organization_id,
        .email =
            idv_identifier_digest(place->keyring, "email", lookup->email, pool),
        .phone =
            idv_identifier_digest(place->keyring, "phone", lookup->phone, pool),
    };
    const idv_reuse_demand_t demand = {
        .min_strength = lookup->min_strength,
        .max_age_days = lookup->max_age,
        .methods = lookup->methods,
    };
    apr_array_header_t *credentials;

    IDV_TRY(idv_credentials_of_person(db, &query, place->now, &credentials,
                                      pool));
    *answer = result_text(
        idv_reuse_filter(&demand, credentials, place->now, pool), pool);
    return NULL;
}
