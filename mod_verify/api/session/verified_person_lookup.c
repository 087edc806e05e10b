/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/verified_person/lookup: which of the organization's users were verified
 * (store/session/person_lookup.h).
 */
#include "api/http/action_record.h"
#include "api/http/response.h"
#include "api/http/write.h"
#include "store/session/person_lookup.h"

typedef struct {
    const idv_request_t *request;
    idv_person_lookup_t what;
    const char *answer;
} lookup_t;

static idv_error_t *find_once(idv_db_t *db, void *baton, const char **answer,
                              apr_pool_t *pool)
{
    const lookup_t *lookup = baton;
    const idv_request_t *request = lookup->request;
    const idv_person_lookup_place_t place = {
        .organization_id = request->key->organization_id,
        .keyring = request->services->keyring,
        .now = request->now,
    };

    return idv_person_lookup(db, &place, &lookup->what, answer, pool);
}

/* It does not change anything, but an operator's look-up is recorded. */
static idv_error_t *find_plainly(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    lookup_t *lookup = baton;

    IDV_TRY(find_once(db, lookup, &lookup->answer, pool));
    return idv_record_action(db, lookup->request, &(idv_recorded_t){0}, pool);
}

/* It does not change anything but, like every POST, repeats the stored answer
 * for an Idempotency-Key. */
idv_error_t *idv_verified_person_lookup(idv_request_t *request)
{
    lookup_t lookup = {.request = request};
    idv_write_t write = {
        .status = HTTP_OK, .work = find_once, .baton = &lookup};

    IDV_TRY(idv_request_parameters(request, idv_person_lookup_parameters,
                                   &lookup.what, NULL));
    IDV_TRY(idv_person_lookup_check(&lookup.what, request->pool));
    if (apr_table_get(request->r->headers_in, "Idempotency-Key"))
        return idv_write(request, &write);
    IDV_TRY(idv_request_with_database(request, find_plainly, &lookup));
    return idv_respond_text(request, HTTP_OK, lookup.answer);
}
