/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/trust_reuse_record.h"

/* --- settings --- */

static idv_error_t *query_settings(idv_db_t *db, idv_sql_t statement,
                                   const idv_scope_t *scope,
                                   idv_trust_reuse_settings_t *settings,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    idv_trust_reuse_settings_default(settings);
    IDV_TRY(idv_db_query(db, statement,
                         IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                       idv_db_text(scope->application_id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    settings->enabled = idv_db_get_bool(rows, 0, 0);
    settings->max_age_days = (int)idv_db_get_int(rows, 0, 1);
    settings->require_same_jurisdiction = idv_db_get_bool(rows, 0, 2);
    settings->updated = idv_db_get_int(rows, 0, 4);
    return idv_db_get_methods(rows, 0, 3, &settings->accepted_methods, pool);
}

idv_error_t *
idv_trust_reuse_settings_find(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool)
{
    return query_settings(db, IDV_SQL_TRUST_REUSE_FIND_SETTINGS, scope,
                          settings, pool);
}

idv_error_t *
idv_trust_reuse_settings_lock(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool)
{
    return query_settings(db, IDV_SQL_TRUST_REUSE_LOCK_SETTINGS, scope,
                          settings, pool);
}

idv_error_t *
idv_trust_reuse_settings_save(idv_db_t *db, const idv_scope_t *scope,
                              const idv_trust_reuse_settings_t *settings,
                              int liability, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_TRUST_REUSE_SAVE_SETTINGS,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(scope->application_id),
                      idv_db_bool(settings->enabled),
                      idv_db_int(settings->max_age_days),
                      idv_db_bool(settings->require_same_jurisdiction),
                      idv_db_methods(&settings->accepted_methods, pool),
                      idv_db_time(settings->updated),
                      idv_db_time(liability ? settings->updated : 0)),
        NULL, pool);
}

/* --- sharing --- */

idv_error_t *idv_trust_reuse_share(idv_db_t *db,
                                   const idv_session_record_t *record,
                                   const char *credential_id, idv_time_t now,
                                   apr_pool_t *pool)
{
    const idv_session_t *session = record->session;

    if (!session->application_id
        || (!record->email_digest.data && !record->phone_digest.data))
        return NULL;
    return idv_db_execute(db, IDV_SQL_TRUST_REUSE_SHARE,
                          IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                        idv_db_text(credential_id),
                                        idv_db_text(session->application_id),
                                        idv_db_bytes(record->email_digest),
                                        idv_db_bytes(record->phone_digest),
                                        idv_db_time(now)),
                          NULL, pool);
}

idv_error_t *idv_trust_reuse_find(idv_db_t *db,
                                  const idv_trust_reuse_query_t *wanted,
                                  idv_trust_reuse_settings_t *settings,
                                  apr_array_header_t **shared, apr_pool_t *pool)
{
    enum { OWNER = IDV_CREDENTIAL_COLUMN_COUNT, MAX_AGE, SAME, METHODS };
    idv_db_result_t *rows;

    idv_trust_reuse_settings_default(settings);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_REUSE_FIND_SHARED,
        IDV_DB_PARAMS(idv_db_text(wanted->scope.organization_id),
                      idv_db_time(wanted->now),
                      idv_db_bytes(idv_person_query_digest(wanted->person)),
                      idv_db_text(wanted->scope.application_id),
                      idv_db_int(IDV_REUSABLE_MAX)),
        &rows, pool));
    *shared = apr_array_make(pool, idv_db_rows(rows),
                             sizeof(const idv_shared_credential_t *));
    for (int i = 0; i < idv_db_rows(rows); i++) {
        idv_shared_credential_t *one = apr_pcalloc(pool, sizeof(*one));

        IDV_TRY(idv_credential_row_read(rows, i, &one->credential, pool));
        one->organization_id = idv_db_get_text(rows, i, OWNER);
        settings->enabled = 1;
        settings->max_age_days = (int)idv_db_get_int(rows, i, MAX_AGE);
        settings->require_same_jurisdiction = idv_db_get_bool(rows, i, SAME);
        IDV_TRY(idv_db_get_methods(rows, i, METHODS,
                                   &settings->accepted_methods, pool));
        APR_ARRAY_PUSH(*shared, const idv_shared_credential_t *) = one;
    }
    return NULL;
}
