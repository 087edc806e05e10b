/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session_create.h"

#include <string.h>

#include "store/event.h"
#include "store/session_effects.h"
#include "store/session_row.h"

#define CREATE_PARAM_COUNT (IDV_SESSION_COLUMN_COUNT + 10)

static idv_error_t *creation_params(const idv_session_creation_t *creation,
                                    idv_db_param_t *params, apr_pool_t *pool)
{
    const idv_session_t *session = creation->record->session;
    const idv_session_event_t *event = &creation->change->events[0];
    const idv_idempotency_t *key = creation->idempotency;
    idv_event_draft_t draft = {.type = event->type,
                               .object = event->object,
                               .created = session->created};
    idv_db_param_t *more = params + IDV_SESSION_COLUMN_COUNT;
    idv_event_text_t text;
    idv_bytes_t sealed;

    idv_session_row_params(creation->record, params, pool);
    idv_event_write(&draft, &text, pool);
    *more++ = idv_db_text(text.id);
    *more++ = idv_db_text(idv_event_type_value(event->type));
    *more++ = idv_db_text(text.body);
    *more++ = idv_db_text(text.time_part);
    if (!key)
        return NULL;
    IDV_TRY(idv_idempotency_seal(key, creation->body, &sealed, pool));
    *more++ = idv_db_text(key->route);
    *more++ = idv_db_text(key->key);
    *more++ = idv_db_bytes(
        (idv_bytes_t){key->request_digest, IDV_DIGEST_SIZE});
    *more++ = idv_db_int(creation->status);
    *more++ = idv_db_bytes(sealed);
    *more++ = idv_db_int(key->now - IDV_IDEMPOTENCY_RETENTION);
    return NULL;
}

static idv_error_t *insert_session(idv_db_t *db,
                                   const idv_session_creation_t *creation,
                                   idv_session_creation_result_t *result,
                                   apr_pool_t *pool)
{
    idv_db_param_t *params =
        apr_pcalloc(pool, CREATE_PARAM_COUNT * sizeof(*params));
    idv_db_result_t *rows;

    IDV_TRY(creation_params(creation, params, pool));
    IDV_TRY(idv_idempotency_error(
        idv_db_query(db, IDV_SQL_SESSION_CREATE, params, CREATE_PARAM_COUNT,
                     &rows, pool),
        db, pool));
    result->stored = idv_db_rows(rows) == 1;
    if (result->stored)
        result->deliveries = idv_db_get_int(rows, 0, 0);
    return NULL;
}

typedef struct {
    const idv_session_creation_t *creation;
    idv_session_creation_result_t *result;
} insertion_t;

/* A session that is born verified has more than one event, and effects. */
static idv_error_t *insert_with_effects(idv_db_t *db, void *baton,
                                        apr_pool_t *pool)
{
    insertion_t *insertion = baton;
    const idv_session_creation_t *creation = insertion->creation;
    idv_session_effects_t effects = {
        .record = creation->record,
        .change = creation->change,
        .workflow = creation->workflow,
        .keyring = creation->keyring,
        .now = creation->record->session->created,
    };
    idv_session_queued_t queued = {0};

    IDV_TRY(insert_session(db, creation, insertion->result, pool));
    if (!insertion->result->stored)
        return NULL;
    if (creation->besides)
        IDV_TRY(creation->besides(db, creation->baton, &queued.deliveries,
                                  pool));
    IDV_TRY(idv_session_announce(db, &effects, 1, &queued, pool));
    IDV_TRY(idv_session_run_effects(db, &effects, &queued, pool));
    insertion->result->deliveries += queued.deliveries;
    return NULL;
}

idv_error_t *idv_session_insert(idv_db_t *db,
                                const idv_session_creation_t *creation,
                                idv_session_creation_result_t *result,
                                apr_pool_t *pool)
{
    insertion_t insertion = {creation, result};

    if (creation->change->event_count == 1 && !creation->change->effects)
        return insert_session(db, creation, result, pool);
    return idv_db_transaction(db, insert_with_effects, &insertion, pool);
}

idv_error_t *idv_session_create_facts(idv_db_t *db, const idv_scope_t *scope,
                                      const char *workflow_id, idv_time_t now,
                                      idv_session_create_facts_t *facts,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    memset(facts, 0, sizeof(*facts));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_SESSION_CREATE_CONTEXT,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(workflow_id),
                      idv_db_text(scope->application_id),
                      idv_db_int(idv_billing_month(now))),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    facts->workflow_id = idv_db_get_text(rows, 0, 0);
    facts->workflow_version_id = idv_db_get_text(rows, 0, 1);
    if (facts->workflow_version_id)
        IDV_TRY(idv_workflow_load(idv_db_get_json(rows, 0, 2, pool),
                                  &facts->workflow, pool));
    facts->has_webhook_endpoint = idv_db_get_bool(rows, 0, 3);
    facts->used_this_month = (int)idv_db_get_int(rows, 0, 4);
    facts->free_allotment = idv_db_get_int(rows, 0, 5);
    facts->credit_balance = idv_db_get_int(rows, 0, 6);
    return NULL;
}
