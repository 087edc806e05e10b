/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/person.h"

idv_bytes_t idv_person_query_digest(const idv_person_query_t *query)
{
    return query->email.data ? query->email : query->phone;
}

idv_error_t *idv_person_compare(idv_db_t *db, const idv_person_query_t *query,
                                const char *person_id,
                                idv_same_person_facts_t *facts,
                                apr_pool_t *pool)
{
    idv_db_result_t *rows;

    facts->equal = facts->different = 0;
    if (!person_id || (!query->email.data && !query->phone.data))
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_VERIFIED_PERSON_COMPARE,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_text(person_id),
                                       idv_db_bytes(query->email),
                                       idv_db_bytes(query->phone)),
                         &rows, pool));
    facts->equal = (int)idv_db_get_int(rows, 0, 0);
    facts->different = (int)idv_db_get_int(rows, 0, 1);
    return NULL;
}
