/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/person_view.h"

#include "core/id.h"
#include "store/session/credential_record.h"

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
    return idv_credential_list_of_person(db, person->organization_id, person_id,
                                         &person->credentials, pool);
}
