/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/persons/:id: a verified person, by the
 * organization's id of the person; …/erase: erases all data about the person,
 * or requests this if two people are needed (store/transaction/erasure.h);
 * …/erasure_requests: the requests that wait for a second person, and
 * withdrawing them.
 *
 * Nothing here identifies the person: identifiers are stored as digests, and
 * only their kinds are shown.
 */
#include <string.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "store/session/credential_record.h"
#include "store/session/person_view.h"
#include "store/transaction/erasure.h"

#define EXPECTED_LENGTH 1000

/* --- a person --- */

typedef struct {
    const idv_request_t *request;
    idv_person_erasure_t whose;
    idv_person_record_t person;
    idv_erasure_request_t *asked; /* NULL: no request */
} look_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    IDV_TRY(idv_person_show(db, look->whose.person_id, &look->person, pool));
    if (strcmp(look->person.organization_id, look->whose.organization_id) != 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return idv_erasure_request_find(db, &look->whose, &look->asked, pool);
}

static void write_request(idv_json_writer_t *object, const char *key,
                          const idv_erasure_request_t *request)
{
    idv_json_open_object(object, key);
    idv_json_put_text(object, "id", request->person_id);
    idv_json_put_text(object, "object", "erasure_request");
    idv_json_put_text(object, "requested_by", request->requested_by);
    idv_json_put_seconds(object, "expires_at", request->expires_at);
    idv_json_put_seconds(object, "created", request->created);
    idv_json_close_object(object);
}

static void write_credential(idv_json_writer_t *object,
                             const idv_credential_record_t *credential)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", credential->id);
    idv_json_put_text(object, "session_id", credential->session_id);
    idv_json_put_text(object, "method", credential->method);
    idv_json_put_text(object, "strength", credential->strength);
    idv_json_put_text(object, "assurance", credential->assurance);
    idv_json_put_text(object, "age_tier", credential->age_tier);
    idv_json_put_seconds(object, "verified_at", credential->verified_at);
    idv_json_put_seconds(object, "expires_at", credential->expires_at);
    idv_json_put_seconds(object, "revoked_at", credential->revoked_at);
    idv_json_close_object(object);
}

static void write_session(idv_json_writer_t *object,
                          const idv_person_session_t *session)
{
    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "session_id", session->id);
    idv_json_put_text(object, "status", session->status);
    idv_json_put_text(object, "error_code", session->error_code);
    idv_json_put_text(object, "client_reference_id",
                      session->client_reference_id);
    idv_json_open_array(object, "linked_by");
    for (const char *const *link = session->links; *link; link++)
        idv_json_put_text(object, NULL, *link);
    idv_json_close_array(object);
    idv_json_put_seconds(object, "completed_at", session->completed);
    idv_json_put_seconds(object, "created", session->created);
    idv_json_close_object(object);
}

static const char *person_text(const look_t *look, apr_pool_t *pool)
{
    const idv_person_record_t *person = &look->person;
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "id", look->whose.person_id);
    idv_json_put_text(&object, "object", "verified_person");
    idv_json_open_array(&object, "identifiers");
    for (const char *const *kind = person->identifiers; *kind; kind++)
        idv_json_put_text(&object, NULL, *kind);
    idv_json_close_array(&object);
    idv_json_open_array(&object, "credentials");
    for (int i = 0; i < person->credentials->nelts; i++)
        write_credential(&object,
                         APR_ARRAY_IDX(person->credentials, i,
                                       idv_credential_record_t *));
    idv_json_close_array(&object);
    idv_json_open_array(&object, "sessions");
    for (int i = 0; i < person->sessions->nelts; i++)
        write_session(&object, &APR_ARRAY_IDX(person->sessions, i,
                                              idv_person_session_t));
    idv_json_close_array(&object);
    if (look->asked)
        write_request(&object, "erasure_request", look->asked);
    else
        idv_json_put_null(&object, "erasure_request");
    idv_json_put_seconds(&object, "erased_at", person->erased_at);
    idv_json_put_seconds(&object, "created", person->created);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

idv_error_t *idv_person_api_retrieve(idv_request_t *request)
{
    look_t look = {.request = request,
                   .whose = {.person_id = idv_request_path(request, "id"),
                             .organization_id = request->organization_id,
                             .at = request->now}};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &look));
    return idv_respond_text(request, HTTP_OK,
                            person_text(&look, request->pool));
}

/* --- erasing --- */

/* If this only requests an erasure, the answer says until when another operator
 * can confirm it. */
static const char *erasure_text(const idv_person_erasure_t *erasure,
                                apr_pool_t *pool)
{
    const int is_done = erasure->erased != NULL;
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "id", erasure->person_id);
    idv_json_put_text(&object, "object", "person_erasure");
    idv_json_put_text(&object, "status", is_done ? "erased" : "requested");
    idv_json_put_text(&object, "by", erasure->operator);
    idv_json_put_seconds(&object, "expires_at",
                         is_done ? 0
                                 : erasure->at + IDV_ERASURE_REQUEST_TIME);
    idv_json_put_seconds(&object, "erased_at", is_done ? erasure->at : 0);
    if (is_done)
        idv_json_put_value(&object, "erased", erasure->erased);
    else
        idv_json_put_null(&object, "erased");
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

static idv_error_t *erase(idv_db_t *db, void *baton, const char **answer,
                          apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    idv_person_erasure_t erasure = {
        .person_id = idv_request_path(request, "id"),
        .operator = request->operator->user,
        .at = request->now,
        .within = request->organization_id,
    };

    IDV_TRY(idv_person_erase(db, &erasure, pool));
    *answer = erasure_text(&erasure, pool);
    return NULL;
}

idv_error_t *idv_person_api_erase(idv_request_t *request)
{
    const idv_write_t write = {
        .status = HTTP_OK, .work = erase, .baton = request, .told = "status"};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- pending requests --- */

static idv_error_t *read_requests(idv_db_t *db, idv_listing_t *listing,
                                  apr_pool_t *pool)
{
    const idv_erasure_query_t query = {
        .organization_id = listing->request->organization_id,
        .now = listing->request->now,
        .cursor = listing->cursor};

    return idv_erasure_request_page(db, &query, &listing->items,
                                    &listing->has_more, pool);
}

static void write_listed(idv_json_writer_t *page, const void *element,
                         apr_pool_t *pool)
{
    (void)pool;
    write_request(page, NULL, element);
}

idv_error_t *idv_erasure_request_api_list(idv_request_t *request)
{
    static const idv_list_t requests = {IDV_ID_VERIFIED_PERSON, read_requests,
                                        write_listed};

    return idv_list_respond(request, &requests);
}

/* --- withdrawing --- */

static idv_error_t *withdraw(idv_db_t *db, void *baton, const char **answer,
                             apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    idv_person_erasure_t erasure = {
        .person_id = idv_request_path(request, "id"),
        .at = request->now,
        .within = request->organization_id,
    };

    IDV_TRY(idv_erasure_request_withdraw(db, &erasure, pool));
    *answer = idv_json_text(
        idv_json_own(json_pack("{s:s, s:s, s:b}", "id", erasure.person_id,
                               "object", "erasure_request", "deleted", 1),
                     pool),
        pool);
    return NULL;
}

idv_error_t *idv_erasure_request_api_withdraw(idv_request_t *request)
{
    const idv_write_t write = {
        .status = HTTP_OK, .work = withdraw, .baton = request};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}
