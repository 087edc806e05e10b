/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/erasure.h"

#include <string.h>

#include "core/id.h"
#include "domain/account/operator_key.h"
#include "store/account/organization.h"
#include "store/db/work_queue.h"
#include "store/transaction/trust_reuse_grant.h"

/* The counts of person/erase.sql, in its order. */
static const char *const parts[] = {"identifiers", "credentials", "tokens",
                                    "sessions",    "images",      "keys",
                                    "events",      "risk_assessments",
                                    "passkeys"};
#define PART_COUNT ((int)(sizeof(parts) / sizeof(*parts)))

static idv_error_t *find_organization(idv_db_t *db,
                                      idv_person_erasure_t *erasure,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_VERIFIED_PERSON, erasure->person_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_FIND_ORGANIZATION,
                         IDV_DB_PARAMS(idv_db_text(erasure->person_id)), &rows,
                         pool));
    if (idv_db_rows(rows) == 0
        || (erasure->within
            && strcmp(erasure->within, idv_db_get_text(rows, 0, 0)) != 0))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    erasure->organization_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

/* Concurrent writes for the person must be finished before the erasure reads,
 * and later ones must no longer find the person. */
static idv_error_t *lock_person(idv_db_t *db,
                                const idv_person_erasure_t *erasure,
                                apr_pool_t *pool)
{
    const idv_db_param_t organization =
        idv_db_text(erasure->organization_id);
    const idv_db_param_t person = idv_db_text(erasure->person_id);

    IDV_TRY(idv_db_execute(db, IDV_SQL_PERSON_LOCK_REMOVAL,
                           IDV_DB_PARAMS(organization), NULL, pool));
    IDV_TRY(idv_db_execute(db, IDV_SQL_PERSON_LOCK_IDENTIFIERS,
                           IDV_DB_PARAMS(organization, person), NULL, pool));
    return idv_db_execute(db, IDV_SQL_CREDENTIAL_LOCK_OF_PERSON,
                          IDV_DB_PARAMS(organization, person), NULL, pool);
}

/* --- by two operators --- */

static void read_request(const idv_db_result_t *rows, int row,
                         idv_erasure_request_t *request)
{
    request->requested_by = idv_db_get_text(rows, row, 0);
    request->created = idv_db_get_int(rows, row, 1);
    request->expires_at = request->created + IDV_ERASURE_REQUEST_TIME;
    request->person_id = idv_db_get_text(rows, row, 2);
}

static idv_error_t *find_request(idv_db_t *db, idv_sql_t statement,
                                 const idv_person_erasure_t *erasure,
                                 idv_erasure_request_t **out, apr_pool_t *pool)
{
    idv_erasure_request_t *request = apr_pcalloc(pool, sizeof(*request));
    idv_db_result_t *rows;

    *out = NULL;
    IDV_TRY(idv_db_query(db, statement,
                         IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                                       idv_db_text(erasure->person_id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    read_request(rows, 0, request);
    if (request->expires_at > erasure->at)
        *out = request;
    return NULL;
}

idv_error_t *idv_erasure_request_find(idv_db_t *db,
                                      const idv_person_erasure_t *erasure,
                                      idv_erasure_request_t **request,
                                      apr_pool_t *pool)
{
    return find_request(db, IDV_SQL_PERSON_FIND_ERASURE_REQUEST, erasure,
                        request, pool);
}

idv_error_t *idv_erasure_request_page(idv_db_t *db,
                                      const idv_erasure_query_t *query,
                                      apr_array_header_t **requests,
                                      int *has_more, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &query->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_PERSON_LIST_ERASURE_REQUESTS,
                             IDV_SQL_PERSON_LIST_ERASURE_REQUESTS_NEWER),
        IDV_DB_PARAMS(idv_db_text(query->organization_id),
                      idv_db_int(query->now - IDV_ERASURE_REQUEST_TIME),
                      IDV_CURSOR_PARAMS(cursor, IDV_ID_VERIFIED_PERSON, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *requests =
        apr_array_make(pool, page.count, sizeof(idv_erasure_request_t));
    for (int i = 0; i < page.count; i++)
        read_request(rows, idv_cursor_row(&page, i),
                     apr_array_push(*requests));
    return NULL;
}

static idv_error_t *not_alone(apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_FOUR_EYES_REQUIRED, pool);

    error->message = "This erasure is already requested. Another person must "
                     "confirm it.";
    return error;
}

/* Whether nothing is left to confirm, because the person was erased (*IS). */
static idv_error_t *is_erased(idv_db_t *db, const idv_person_erasure_t *erasure,
                              int *is, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_FIND_ERASURE,
                         IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                                       idv_db_text(erasure->person_id)),
                         &rows, pool));
    *is = idv_db_rows(rows) > 0;
    return NULL;
}

/* Takes what another operator has asked for (*MAY); `four_eyes_required` when
 * the operator of ERASURE has asked it. */
static idv_error_t *confirm(idv_db_t *db, const idv_person_erasure_t *erasure,
                            int *may, apr_pool_t *pool)
{
    idv_erasure_request_t *request;

    IDV_TRY(find_request(db, IDV_SQL_PERSON_TAKE_ERASURE_REQUEST, erasure,
                         &request, pool));
    *may = request != NULL;
    return request
                && idv_operator_can_be_same(request->requested_by,
                                            erasure->operator, pool)
             ? not_alone(pool)
             : NULL;
}

/* Whether the operator of ERASURE may do it now (*MAY): nobody has to ask,
 * another one has, or the person was erased, perhaps at this moment. Else this
 * was the asking. */
static idv_error_t *ask(idv_db_t *db, const idv_person_erasure_t *erasure,
                        int *may, apr_pool_t *pool)
{
    idv_four_eyes_t switches;
    apr_int64_t asked;

    IDV_TRY(idv_organization_four_eyes(db, erasure->organization_id, &switches,
                                       pool));
    if (!switches.erase) {
        *may = 1;
        return idv_db_execute(
            db, IDV_SQL_PERSON_TAKE_ERASURE_REQUEST,
            IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                          idv_db_text(erasure->person_id)),
            NULL, pool);
    }
    IDV_TRY(confirm(db, erasure, may, pool));
    if (!*may)
        IDV_TRY(is_erased(db, erasure, may, pool));
    if (*may)
        return NULL;
    IDV_TRY(idv_db_execute(db, IDV_SQL_PERSON_REQUEST_ERASURE,
                           IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                                         idv_db_text(erasure->person_id),
                                         idv_db_text(erasure->operator),
                                         idv_db_time(erasure->at)),
                           &asked, pool));
    /* Another one has asked at this moment: this is the second who says so. */
    return asked ? NULL : confirm(db, erasure, may, pool);
}

static idv_error_t *erase(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_person_erasure_t *erasure = baton;
    idv_grant_revoking_t revoking = {.id = erasure->person_id,
                                     .reason = IDV_GRANT_ERASURE_REQUEST,
                                     .now = erasure->at};
    idv_db_result_t *rows;
    int may;

    IDV_TRY(find_organization(db, erasure, pool));
    IDV_TRY(ask(db, erasure, &may, pool));
    if (!may)
        return NULL;
    revoking.organization_id = erasure->organization_id;
    IDV_TRY(lock_person(db, erasure, pool));
    IDV_TRY(idv_trust_reuse_revoke_person(db, &revoking, pool));
    IDV_TRY(idv_outgoing_mail_erase_person(db, erasure->organization_id,
                                           erasure->person_id, pool));
    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_ERASE,
                         IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                                       idv_db_text(erasure->person_id),
                                       idv_db_time(erasure->at)),
                         &rows, pool));
    erasure->erased = idv_json_own(json_object(), pool);
    for (int i = 0; i < PART_COUNT; i++)
        json_object_set_new(erasure->erased, parts[i],
                            json_integer(idv_db_get_int(rows, 0, i)));
    json_object_set_new(erasure->erased, "grants_revoked",
                        json_integer(revoking.revoked));
    return idv_db_execute(db, IDV_SQL_PERSON_RECORD_ERASURE,
                          IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                                        idv_db_text(erasure->person_id),
                                        idv_db_json(erasure->erased, pool),
                                        idv_db_time(erasure->at)),
                          NULL, pool);
}

/* A concurrent confirmation takes the request, too; one of the two finds it
 * gone. */
static idv_error_t *withdraw(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_person_erasure_t *erasure = baton;
    idv_erasure_request_t *request;

    IDV_TRY(find_organization(db, erasure, pool));
    IDV_TRY(find_request(db, IDV_SQL_PERSON_TAKE_ERASURE_REQUEST, erasure,
                         &request, pool));
    return request ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

idv_error_t *idv_erasure_request_withdraw(idv_db_t *db,
                                          idv_person_erasure_t *erasure,
                                          apr_pool_t *pool)
{
    erasure->organization_id = NULL;
    return idv_db_transaction(db, withdraw, erasure, pool);
}

idv_error_t *idv_person_erase(idv_db_t *db, idv_person_erasure_t *erasure,
                              apr_pool_t *pool)
{
    erasure->organization_id = NULL;
    erasure->erased = NULL;
    return idv_db_transaction(db, erase, erasure, pool);
}
