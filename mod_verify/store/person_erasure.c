/* SPDX-License-Identifier: Apache-2.0 */
#include "store/person_erasure.h"

#include <string.h>

#include "core/id.h"
#include "store/trust_reuse_grant.h"
#include "store/work_queue.h"

/* What person/erase.sql counts, in its order. */
static const char *const parts[] = {"identifiers", "credentials", "tokens",
                                    "sessions",    "images",      "keys",
                                    "events",      "risk_assessments"};
#define PART_COUNT ((int)(sizeof(parts) / sizeof(*parts)))

typedef struct {
    const char *person_id;
    idv_person_erasure_t *erasure;
} work_t;

static idv_error_t *find_organization(idv_db_t *db, work_t *work,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_VERIFIED_PERSON, work->person_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_FIND_ORGANIZATION,
                         IDV_DB_PARAMS(idv_db_text(work->person_id)), &rows,
                         pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    work->erasure->organization_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

/* What is on its way for the person has to be there before the erasure looks,
 * and what comes later must not find the person any more. */
static idv_error_t *hold(idv_db_t *db, const work_t *work, apr_pool_t *pool)
{
    const idv_db_param_t organization =
        idv_db_text(work->erasure->organization_id);
    const idv_db_param_t person = idv_db_text(work->person_id);

    IDV_TRY(idv_db_execute(db, IDV_SQL_PERSON_HOLD_IDENTIFIERS,
                           IDV_DB_PARAMS(organization, person), NULL, pool));
    return idv_db_execute(db, IDV_SQL_CREDENTIAL_HOLD_OF_PERSON,
                          IDV_DB_PARAMS(organization, person), NULL, pool);
}

static idv_error_t *erase(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    work_t *work = baton;
    idv_person_erasure_t *erasure = work->erasure;
    idv_grant_revoking_t revoking = {.id = work->person_id,
                                     .reason = IDV_GRANT_ERASURE_REQUEST,
                                     .now = erasure->at};
    idv_db_result_t *rows;

    IDV_TRY(find_organization(db, work, pool));
    revoking.organization_id = erasure->organization_id;
    IDV_TRY(hold(db, work, pool));
    IDV_TRY(idv_trust_reuse_revoke_person(db, &revoking, pool));
    IDV_TRY(idv_outgoing_mail_erase_person(db, erasure->organization_id,
                                           work->person_id, pool));
    IDV_TRY(idv_db_query(db, IDV_SQL_PERSON_ERASE,
                         IDV_DB_PARAMS(idv_db_text(erasure->organization_id),
                                       idv_db_text(work->person_id),
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
                                        idv_db_text(work->person_id),
                                        idv_db_json(erasure->erased, pool),
                                        idv_db_time(erasure->at)),
                          NULL, pool);
}

idv_error_t *idv_person_erase(idv_db_t *db, const char *person_id,
                              idv_time_t now, idv_person_erasure_t *erasure,
                              apr_pool_t *pool)
{
    work_t work = {person_id, erasure};

    memset(erasure, 0, sizeof(*erasure));
    erasure->at = now;
    return idv_db_transaction(db, erase, &work, pool);
}
