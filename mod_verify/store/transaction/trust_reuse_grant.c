/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/trust_reuse_grant.h"

#include <apr_strings.h>

#include "core/id.h"
#include "store/webhook/event.h"

/* --- grants --- */

/* In the order of sql/fragments/grant_columns.sql. */
static idv_trust_reuse_grant_t *read_grant(const idv_db_result_t *rows, int row,
                                           apr_pool_t *pool)
{
    idv_trust_reuse_grant_t *grant = apr_pcalloc(pool, sizeof(*grant));

    grant->organization_id = idv_db_get_text(rows, row, 0);
    grant->id = idv_db_get_text(rows, row, 1);
    grant->application_id = idv_db_get_text(rows, row, 2);
    grant->source_organization_id = idv_db_get_text(rows, row, 3);
    grant->source_credential_id = idv_db_get_text(rows, row, 4);
    grant->session_id = idv_db_get_text(rows, row, 5);
    grant->verified_person_id = idv_db_get_text(rows, row, 6);
    grant->method = idv_method_parse(idv_db_get_text(rows, row, 7));
    grant->age_tier = idv_tier_parse(idv_db_get_text(rows, row, 8));
    grant->strength = idv_strength_parse(idv_db_get_text(rows, row, 9));
    grant->granted_at = idv_db_get_int(rows, row, 10);
    grant->expires_at = idv_db_get_int(rows, row, 11);
    grant->revoked_at = idv_db_get_int(rows, row, 12);
    grant->revoked_reason = idv_db_get_text(rows, row, 13);
    return grant;
}

static idv_error_t *announce(idv_db_t *db, const idv_trust_reuse_grant_t *grant,
                             idv_event_type_t type, apr_int64_t *deliveries,
                             apr_pool_t *pool)
{
    idv_event_draft_t draft = {
        .organization_id = grant->organization_id,
        .application_id = grant->application_id,
        .object_id = type == IDV_EVENT_CONSENT_REVOKED
                       ? grant->verified_person_id
                       : grant->id,
        .type = type,
        .object = type == IDV_EVENT_CONSENT_REVOKED
                    ? idv_trust_reuse_consent_text(grant, pool)
                    : idv_trust_reuse_grant_text(grant, pool),
        .created = grant->revoked_at ? grant->revoked_at : grant->granted_at,
    };

    return idv_event_insert(db, &draft, deliveries, pool);
}

static idv_error_t *lock_shared(idv_db_t *db,
                                const idv_trust_reuse_granting_t *granting,
                                apr_pool_t *pool)
{
    const idv_shared_credential_t *chosen = granting->chosen;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_REUSE_LOCK_SHARED,
                         IDV_DB_PARAMS(idv_db_text(chosen->organization_id),
                                       idv_db_time(granting->now),
                                       idv_db_text(chosen->credential.id),
                                       idv_db_bytes(granting->digest)),
                         &rows, pool));
    return idv_db_rows(rows) ? NULL : idv_error_new(IDV_E_NO_MATCHING_VP, pool);
}

/* Valid as long as the credential, and as the rules here let it be. */
static idv_time_t grant_end(const idv_trust_reuse_granting_t *granting)
{
    const idv_credential_t *proof = &granting->chosen->credential.proof;
    const idv_compliance_t *rule = &granting->session->compliance;
    idv_time_t end =
        proof->verified_at + IDV_MINUTE * idv_compliance_validity(rule);
    int limited =
        rule->credential_validity_days || rule->credential_validity_minutes;

    return limited && end < proof->expires_at ? end : proof->expires_at;
}

/* The grant that the application has already. */
static idv_error_t *find_valid(idv_db_t *db,
                               const idv_trust_reuse_granting_t *granting,
                               const idv_trust_reuse_grant_t **grant,
                               apr_pool_t *pool)
{
    const idv_session_t *session = granting->session;
    const idv_shared_credential_t *chosen = granting->chosen;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_REUSE_GRANT_FIND_VALID,
                         IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                       idv_db_text(session->application_id),
                                       idv_db_text(chosen->organization_id),
                                       idv_db_text(chosen->credential.id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_NO_MATCHING_VP, pool);
    *grant = read_grant(rows, 0, pool);
    return NULL;
}

idv_error_t *idv_trust_reuse_grant(idv_db_t *db,
                                   const idv_trust_reuse_granting_t *granting,
                                   const idv_trust_reuse_grant_t **grant,
                                   apr_int64_t *deliveries, apr_pool_t *pool)
{
    const idv_session_t *session = granting->session;
    const idv_shared_credential_t *chosen = granting->chosen;
    const idv_credential_t *proof = &chosen->credential.proof;
    idv_db_result_t *rows;

    *grant = NULL;
    IDV_TRY(lock_shared(db, granting, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_REUSE_GRANT_INSERT,
        IDV_DB_PARAMS(
            idv_db_text(session->organization_id),
            idv_db_text(
                idv_id_new(IDV_ID_TRUST_REUSE_GRANT, granting->now, pool)),
            idv_db_text(session->application_id),
            idv_db_text(chosen->organization_id),
            idv_db_text(chosen->credential.id), idv_db_text(session->id),
            idv_db_text(chosen->credential.verified_person_id),
            idv_db_text(idv_method_value(proof->method)),
            idv_db_text(idv_tier_value(proof->age_tier)),
            idv_db_text(idv_strength_value(proof->strength)),
            idv_db_time(granting->now), idv_db_time(grant_end(granting))),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return find_valid(db, granting, grant, pool);
    *grant = read_grant(rows, 0, pool);
    return announce(db, *grant, IDV_EVENT_GRANT_CREATED, deliveries, pool);
}

idv_error_t *idv_trust_reuse_grant_find(idv_db_t *db,
                                        const char *organization_id,
                                        const char *id,
                                        idv_trust_reuse_grant_t **grant,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_TRUST_REUSE_GRANT, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_REUSE_GRANT_FIND,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(id)), &rows,
        pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *grant = read_grant(rows, 0, pool);
    return NULL;
}

idv_error_t *idv_trust_reuse_grant_list(idv_db_t *db,
                                        const idv_page_query_t *query,
                                        apr_array_header_t **grants,
                                        int *has_more, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_TRUST_REUSE_GRANT_LIST,
                             IDV_SQL_TRUST_REUSE_GRANT_LIST_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(query->scope.organization_id),
            IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_TRUST_REUSE_GRANT, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *grants =
        apr_array_make(pool, page.count, sizeof(idv_trust_reuse_grant_t *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*grants, idv_trust_reuse_grant_t *) =
            read_grant(rows, idv_cursor_row(&page, i), pool);
    return NULL;
}

/* --- revocations --- */

/* The operators already notified of a withdrawn consent. */
typedef struct {
    idv_grant_revoking_t *revoking;
    apr_table_t *told;
} round_t;

static idv_error_t *tell_withdrawal(idv_db_t *db, round_t *round,
                                    const idv_trust_reuse_grant_t *grant,
                                    apr_pool_t *pool)
{
    const char *operator = apr_pstrcat(pool, grant->organization_id, " ",
                                       grant->application_id, NULL);

    if (round->revoking->reason != IDV_GRANT_USER_REVOKED_CONSENT
        || apr_table_get(round->told, operator))
        return NULL;
    apr_table_setn(round->told, operator, "");
    return announce(db, grant, IDV_EVENT_CONSENT_REVOKED,
                    &round->revoking->deliveries, pool);
}

/* Revokes what STATEMENT finds of ORGANIZATION_ID and ID. */
static idv_error_t *revoke_found(idv_db_t *db, idv_sql_t statement,
                                 round_t *round, const char *const id[2],
                                 apr_pool_t *pool)
{
    idv_grant_revoking_t *revoking = round->revoking;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, statement,
        IDV_DB_PARAMS(
            idv_db_text(id[0]), idv_db_text(id[1]), idv_db_time(revoking->now),
            idv_db_text(idv_grant_revocation_value(revoking->reason))),
        &rows, pool));
    for (int i = 0; i < idv_db_rows(rows); i++) {
        const idv_trust_reuse_grant_t *grant = read_grant(rows, i, pool);

        IDV_TRY(announce(db, grant, IDV_EVENT_GRANT_REVOKED,
                         &revoking->deliveries, pool));
        IDV_TRY(tell_withdrawal(db, round, grant, pool));
    }
    revoking->revoked += idv_db_rows(rows);
    return NULL;
}

idv_error_t *idv_trust_reuse_revoke_grant(idv_db_t *db,
                                          idv_grant_revoking_t *revoking,
                                          apr_pool_t *pool)
{
    const char *const id[] = {revoking->organization_id, revoking->id};
    round_t round = {revoking, apr_table_make(pool, 1)};

    if (!idv_id_is(IDV_ID_TRUST_REUSE_GRANT, revoking->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return revoke_found(db, IDV_SQL_TRUST_REUSE_GRANT_REVOKE_ONE, &round, id,
                        pool);
}

/* Ends the sharing by STATEMENT, and then revokes what it led to. */
static idv_error_t *end_sharing(idv_db_t *db, idv_sql_t statement,
                                idv_grant_revoking_t *revoking,
                                apr_pool_t *pool)
{
    round_t round = {revoking, apr_table_make(pool, 4)};
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, statement,
                         IDV_DB_PARAMS(idv_db_text(revoking->organization_id),
                                       idv_db_text(revoking->id)),
                         &rows, pool));
    for (int i = 0; i < idv_db_rows(rows); i++) {
        const char *const id[] = {idv_db_get_text(rows, i, 0),
                                  idv_db_get_text(rows, i, 1)};

        IDV_TRY(revoke_found(db,
                             IDV_SQL_TRUST_REUSE_GRANT_REVOKE_OF_CREDENTIAL,
                             &round, id, pool));
    }
    return NULL;
}

idv_error_t *idv_trust_reuse_revoke_credential(idv_db_t *db,
                                               idv_grant_revoking_t *revoking,
                                               apr_pool_t *pool)
{
    const char *const id[] = {revoking->organization_id, revoking->id};
    round_t round = {revoking, apr_table_make(pool, 1)};

    IDV_TRY(idv_db_execute(
        db, IDV_SQL_TRUST_REUSE_UNSHARE_CREDENTIAL,
        IDV_DB_PARAMS(idv_db_text(id[0]), idv_db_text(id[1])), NULL, pool));
    return revoke_found(db, IDV_SQL_TRUST_REUSE_GRANT_REVOKE_OF_CREDENTIAL,
                        &round, id, pool);
}

idv_error_t *idv_trust_reuse_revoke_session(idv_db_t *db,
                                            idv_grant_revoking_t *revoking,
                                            apr_pool_t *pool)
{
    return end_sharing(db, IDV_SQL_TRUST_REUSE_UNSHARE_SESSION, revoking, pool);
}

idv_error_t *idv_trust_reuse_revoke_person(idv_db_t *db,
                                           idv_grant_revoking_t *revoking,
                                           apr_pool_t *pool)
{
    return end_sharing(db, IDV_SQL_TRUST_REUSE_UNSHARE_PERSON, revoking, pool);
}

idv_error_t *idv_trust_reuse_revoke_everywhere(idv_db_t *db,
                                               idv_grant_revoking_t *revoking,
                                               apr_pool_t *pool)
{
    return end_sharing(db, IDV_SQL_TRUST_REUSE_UNSHARE_EVERYWHERE, revoking, pool);
}
