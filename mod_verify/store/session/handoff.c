/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/handoff.h"

#include <string.h>

#include "domain/value/issued_secret.h"

#define LINK_PARAMS(link)                                                      \
    idv_db_text((link)->organization_id), idv_db_text((link)->session_id),     \
        idv_db_bytes((link)->token_digest)

idv_error_t *idv_handoff_offer(idv_db_t *db, const idv_handoff_link_t *link,
                               apr_pool_t *pool)
{
    apr_int64_t choices[IDV_HANDOFF_CHOICES];

    for (int i = 0; i < IDV_HANDOFF_CHOICES; i++)
        choices[i] = link->choices[i];
    return idv_db_execute(
        db, IDV_SQL_HANDOFF_OFFER,
        IDV_DB_PARAMS(LINK_PARAMS(link), idv_db_int(link->pairing),
                      idv_db_ints(choices, IDV_HANDOFF_CHOICES, pool),
                      idv_db_time(link->expires_at)),
        NULL, pool);
}

static idv_error_t *invalid(apr_pool_t *pool)
{
    return idv_error_new(IDV_E_HANDOFF_INVALID, pool);
}

idv_error_t *idv_handoff_find(idv_db_t *db, const idv_handoff_query_t *query,
                              idv_handoff_link_t *link, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_HANDOFF_FIND,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_bytes(query->token_digest),
                                       idv_db_time(query->now)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return invalid(pool);
    link->organization_id = query->organization_id;
    link->token_digest = query->token_digest;
    link->session_id = idv_db_get_text(rows, 0, 0);
    link->pairing = (int)idv_db_get_int(rows, 0, 1);
    for (int i = 0; i < IDV_HANDOFF_CHOICES; i++)
        link->choices[i] = (int)idv_db_get_int(rows, 0, 2 + i);
    link->expires_at = idv_db_get_int(rows, 0, 2 + IDV_HANDOFF_CHOICES);
    return NULL;
}

idv_error_t *idv_handoff_check(idv_db_t *db, const idv_handoff_link_t *link,
                               idv_time_t now, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_HANDOFF_IS_OFFERED,
                         IDV_DB_PARAMS(LINK_PARAMS(link), idv_db_time(now)),
                         &rows, pool));
    return idv_db_rows(rows) ? NULL : invalid(pool);
}

idv_error_t *idv_handoff_take(idv_db_t *db, const idv_handoff_link_t *link,
                              const idv_handoff_taking_t *taking,
                              apr_pool_t *pool)
{
    apr_int64_t taken;

    IDV_TRY(idv_db_execute(
        db, IDV_SQL_HANDOFF_TAKE,
        IDV_DB_PARAMS(LINK_PARAMS(link), idv_db_int(link->pairing),
                      idv_db_time(taking->now), idv_db_int(taking->phone),
                      idv_db_bytes(taking->secret_digest),
                      idv_db_time(taking->now + IDV_HANDOFF_IDLE_TIME)),
        &taken, pool));
    return taken ? NULL : invalid(pool);
}

idv_error_t *idv_handoff_keep(idv_db_t *db, const idv_session_t *session,
                              idv_time_t now, apr_pool_t *pool)
{
    idv_handoff_state_t state = session->runner.handoff.state;
    int is_offered = idv_session_status_open(session->status)
                  && (state == IDV_HANDOFF_OFFERED
                      || state == IDV_HANDOFF_SCANNED);

    return idv_db_execute(
        db, IDV_SQL_HANDOFF_KEEP,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->id),
                      idv_db_bool(session->active_device != NULL),
                      idv_db_bool(is_offered),
                      idv_db_time(now + IDV_HANDOFF_IDLE_TIME)),
        NULL, pool);
}

idv_error_t *idv_handoff_phone_find(idv_db_t *db, const char *organization_id,
                                    const char *session_id,
                                    idv_handoff_phone_t *phone,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    memset(phone, 0, sizeof(*phone));
    IDV_TRY(idv_db_query(db, IDV_SQL_HANDOFF_FIND_PHONE,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_text(session_id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    phone->number = (int)idv_db_get_int(rows, 0, 0);
    phone->secret_digest = idv_db_get_bytes(rows, 0, 1, pool);
    phone->idle_at = idv_db_get_int(rows, 0, 2);
    return NULL;
}

idv_error_t *idv_handoff_hear(idv_db_t *db, const idv_session_t *session,
                              const idv_handoff_phone_t *phone, idv_time_t now,
                              apr_pool_t *pool)
{
    idv_time_t idle_at = now + IDV_HANDOFF_IDLE_TIME;

    if (idle_at < phone->idle_at + IDV_HANDOFF_IDLE_STEP)
        return NULL;
    return idv_db_execute(db, IDV_SQL_HANDOFF_HEAR,
                          IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                        idv_db_text(session->id),
                                        idv_db_int(phone->number),
                                        idv_db_time(idle_at)),
                          NULL, pool);
}

idv_error_t *idv_handoff_knows_secret(idv_db_t *db,
                                      const idv_page_secret_t *secret,
                                      int *known, apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_db_result_t *rows;

    idv_issued_secret_digest(secret->secret, digest);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_HANDOFF_KNOWS_SECRET,
        IDV_DB_PARAMS(idv_db_text(secret->organization_id),
                      idv_db_text(secret->session_id),
                      idv_db_bytes((idv_bytes_t){digest, sizeof(digest)})),
        &rows, pool));
    *known = idv_db_rows(rows) > 0;
    return NULL;
}
