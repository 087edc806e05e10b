/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/person_view.h"

#include "core/id.h"
#include "store/session/credential_record.h"

static idv_error_t *list_sessions(idv_db_t *db, const char *person_id,
                                  idv_person_record_t *person,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_LIST_SESSIONS,
                         IDV_DB_PARAMS(idv_db_text(person->organization_id),
                                       idv_db_text(person_id),
                                       idv_db_int(IDV_PERSON_SESSIONS_SHOWN)),
                         &rows, pool));
    person->sessions = apr_array_make(pool, idv_db_rows(rows),
                                      sizeof(idv_person_session_t));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(person->sessions, idv_person_session_t) =
            (idv_person_session_t){
                .id = idv_db_get_text(rows, row, 0),
                .status = idv_db_get_text(rows, row, 1),
                .error_code = idv_db_get_text(rows, row, 2),
                .client_reference_id = idv_db_get_text(rows, row, 3),
                .links = idv_db_get_texts(rows, row, 4, pool),
                .created = idv_db_get_int(rows, row, 5),
                .completed = idv_db_get_int(rows, row, 6),
            };
    return NULL;
}

idv_error_t *idv_person_show(idv_db_t *db, const char *person_id,
                             idv_person_record_t *person, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_VERIFIED_PERSON, person_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_SHOW,
                         IDV_DB_PARAMS(idv_db_text(person_id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    person->organization_id = idv_db_get_text(rows, 0, 0);
    person->created = idv_db_get_int(rows, 0, 1);
    person->erased_at = idv_db_get_int(rows, 0, 2);
    person->identifiers = idv_db_get_texts(rows, 0, 3, pool);
    IDV_TRY(list_sessions(db, person_id, person, pool));
    return idv_credential_list_of_person(db, person->organization_id, person_id,
                                         &person->credentials, pool);
}
