/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/session_create.h"

#include <string.h>

#include <apr_strings.h>

#include "store/account/api_key.h"
#include "store/account/ledger.h"
#include "store/transaction/session_transition.h"
#include "store/webhook/event.h"

/* --- facts --- */

static idv_error_t *load_workflow(const idv_db_result_t *rows,
                                  idv_session_create_facts_t *facts,
                                  apr_pool_t *pool)
{
    const char *text = idv_db_get_text(rows, 0, 2);
    idv_workflow_t *workflow;

    facts->compiled = idv_db_get_json(rows, 0, 2, pool);
    facts->compiled_length = text ? strlen(text) : 0;
    IDV_TRY(idv_workflow_load(facts->compiled, &workflow, pool));
    facts->workflow = workflow;
    return NULL;
}

static void read_standing(const idv_db_result_t *rows,
                          idv_session_create_standing_t *standing)
{
    idv_billing_account_t *account = &standing->account;

    standing->has_webhook_endpoint = idv_db_get_bool(rows, 0, 3);
    account->free_allotment = idv_db_get_int(rows, 0, 4);
    account->credit_balance = idv_db_get_int(rows, 0, 5);
    account->usage.counts[IDV_LEDGER_FREE] = idv_db_get_int(rows, 0, 6);
    account->usage.counts[IDV_LEDGER_SANDBOX] = idv_db_get_int(rows, 0, 7);
}

/* A retired workflow or application takes no new sessions. */
static idv_error_t *check_retired(const idv_db_result_t *rows, apr_pool_t *pool)
{
    idv_error_t *error;

    if (idv_db_get_bool(rows, 0, 9))
        return idv_error_new(IDV_E_APPLICATION_RETIRED, pool);
    if (!idv_db_get_bool(rows, 0, 8))
        return NULL;
    error = idv_error_new(IDV_E_WORKFLOW_RETIRED, pool);
    error->param = "workflow_id";
    return error;
}

idv_error_t *idv_session_create_facts(idv_db_t *db,
                                      const idv_session_create_query_t *query,
                                      idv_session_create_facts_t *facts,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    memset(facts, 0, sizeof(*facts));
    IDV_TRY(
        idv_db_query(db, IDV_SQL_SESSION_CREATE_CONTEXT,
                     IDV_DB_PARAMS(idv_db_text(query->scope.organization_id),
                                   idv_db_text(query->workflow_id),
                                   idv_db_text(query->scope.application_id),
                                   idv_db_int(idv_billing_month(query->now))),
                     &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    facts->workflow_id = idv_db_get_text(rows, 0, 0);
    facts->workflow_version_id = idv_db_get_text(rows, 0, 1);
    read_standing(rows, &facts->standing);
    facts->standing.read_at = query->now;
    facts->standing.counted_at = query->now;
    IDV_TRY(check_retired(rows, pool));
    return facts->workflow_version_id ? load_workflow(rows, facts, pool) : NULL;
}

/* --- the bound of sessions under way --- */

/* Sessions that may be created between the count and the writing of a creation
 * in the sure way, whatever the number of nodes. Closer to the bound, creations
 * lock the organization: at most so many ever have to. */
#define CREATED_MEANWHILE 1024
/* Sessions that all nodes together create in a millisecond at most. */
#define CREATED_PER_MILLISECOND 10
/* How long an account is taken for granted from which an operator may take
 * credits away. */
#define ACCOUNT_AGE_MAX (10 * IDV_SECOND)
/* How long a count of sessions under way is used: where there are a million, each
 * child would otherwise read the index of all of them every 10 seconds. */
#define COUNT_AGE_MAX (60 * IDV_SECOND)

int idv_session_create_is_far_from_bound(
    const idv_session_create_facts_t *facts, int livemode, idv_time_t now)
{
    apr_int64_t age = now - facts->standing.read_at;
    apr_int64_t count_age = now - facts->standing.counted_at;

    return !livemode
        || (age >= 0 && age <= ACCOUNT_AGE_MAX && count_age <= COUNT_AGE_MAX
            && idv_billing_has_room(&facts->standing.account, 1,
                                    CREATED_MEANWHILE
                                        + count_age * CREATED_PER_MILLISECOND));
}

static int is_near_bound(const idv_session_creation_t *creation)
{
    return !idv_billing_has_room(&creation->facts->standing.account,
                                 creation->record->session->livemode,
                                 CREATED_MEANWHILE);
}

/* --- writing --- */

/* Parameters of the statement that takes most of them: the session, its event,
 * the key as it was guessed, its standing, and the idempotency key. */
#define EVENT_PARAMS 4
#define STANDING_PARAMS 6
#define IDEMPOTENCY_PARAMS 8
#define PARAMS_MAX                                                             \
    (IDV_SESSION_PARAM_COUNT + EVENT_PARAMS + IDV_API_KEY_GUARD_PARAMS         \
     + STANDING_PARAMS + IDEMPOTENCY_PARAMS)

_Static_assert(PARAMS_MAX <= IDV_DB_PARAMS_MAX, "one statement takes them all");

/* A list of parameters that grows. */
typedef struct {
    idv_db_param_t items[PARAMS_MAX];
    int count;
    int shared; /* of a statement over rows: number of those before the arrays */
} params_t;

static void add(params_t *params, idv_db_param_t param)
{
    params->items[params->count++] = param;
}

static void add_event(const idv_session_creation_t *creation, params_t *params,
                      apr_pool_t *pool)
{
    const idv_session_event_t *event = &creation->change->events[0];
    idv_event_draft_t draft = {
        .type = event->type,
        .object = event->object,
        .created = creation->record->session->created,
    };
    idv_event_text_t text;

    idv_event_write(&draft, &text, pool);
    add(params, idv_db_text(text.id));
    add(params, idv_db_text(text.body));
    add(params, idv_db_trace_param(creation->trace));
}

/* Adds the row of the idempotency key, with the sealed answer, but not its route
 * and status; only NULLs without a key. */
static idv_error_t *add_answer(const idv_session_creation_t *creation,
                               params_t *params, apr_pool_t *pool)
{
    const idv_idempotency_t *key = creation->idempotency;
    idv_sealed_answer_t sealed = {0};
    idv_bytes_t digest = {0};

    if (key) {
        digest = (idv_bytes_t){key->request_digest, IDV_DIGEST_SIZE};
        IDV_TRY(idv_idempotency_seal(key, creation->body, &sealed, pool));
    }
    add(params, idv_db_text(key ? key->key : NULL));
    add(params, idv_db_text(key ? key->former_key : NULL));
    add(params, idv_db_bytes(digest));
    add(params, idv_db_bytes(sealed.response));
    add(params, idv_db_bytes(sealed.former_response));
    return NULL;
}

static idv_db_param_t route_of(const idv_session_creation_t *creation)
{
    return idv_db_text(creation->idempotency ? creation->idempotency->route
                                             : NULL);
}

static idv_db_param_t status_of(const idv_session_creation_t *creation)
{
    return creation->idempotency ? idv_db_int(creation->status) : idv_db_null();
}

static idv_db_param_t event_type_of(const idv_session_creation_t *creation)
{
    return idv_db_text(idv_event_type_value(creation->change->events[0].type));
}

static idv_error_t *insert_session(idv_db_t *db,
                                   const idv_session_creation_t *creation,
                                   idv_session_creation_result_t *result,
                                   apr_pool_t *pool)
{
    params_t *params = apr_pcalloc(pool, sizeof(*params));
    const idv_idempotency_t *key = creation->idempotency;
    idv_db_result_t *rows;

    idv_session_row_params(creation->record, params->items, pool);
    params->count = IDV_SESSION_PARAM_COUNT;
    add(params, event_type_of(creation));
    add_event(creation, params, pool);
    add(params, route_of(creation));
    add(params, status_of(creation));
    IDV_TRY(add_answer(creation, params, pool));
    add(params, key ? idv_db_int(key->now - key->retention) : idv_db_null());
    IDV_TRY(idv_idempotency_error(
        idv_db_query(db, IDV_SQL_SESSION_CREATE,
                     (idv_db_params_t){params->items, params->count}, &rows,
                     pool),
        db, pool));
    result->stored = idv_db_rows(rows) == 1;
    result->queued = result->stored && idv_db_get_bool(rows, 0, 0);
    return NULL;
}

/* Adds the facts with which session_guess.sql compares the database, by
 * sql/fragments/expected_key.sql and expected_standing.sql. */
static idv_error_t *add_guess(const idv_session_creation_t *creation,
                              const idv_db_guard_t *guard, params_t *params,
                              apr_pool_t *pool)
{
    const idv_session_t *session = creation->record->session;
    const idv_session_create_standing_t *standing = &creation->facts->standing;
    idv_billing_bounds_t bounds;

    if (!idv_billing_is_admitted(&standing->account, session->livemode,
                                 &bounds))
        return idv_error_internal(pool, "a guess that was refused");
    idv_api_key_guard_params(guard, params->items + params->count);
    params->count += IDV_API_KEY_GUARD_PARAMS;
    add(params, idv_db_int(idv_billing_month(session->created)));
    add(params, idv_db_bool(standing->has_webhook_endpoint));
    add(params, idv_db_int(bounds.balance_from));
    add(params, idv_db_int(bounds.allotment_from));
    add(params, idv_db_int(bounds.free_before));
    add(params, idv_db_int(bounds.sandbox_before));
    return NULL;
}

/* The text that stands for the row of the idempotency key, for which another
 * request of the same organization and application with the same key waits;
 * NULL without a key. Different rows need different texts: if two rows shared
 * one, two groups could lock them in opposite order. */
static const char *lock_key_of(const idv_session_creation_t *creation,
                               apr_pool_t *pool)
{
    const idv_session_t *session = creation->record->session;
    const char *application =
        session->application_id ? session->application_id : "";

    return creation->idempotency
             ? apr_pstrcat(pool, session->organization_id, " ", application,
                           " ", creation->idempotency->key, NULL)
             : NULL;
}

/* What create_guessed.sql does with the columns of a session; the others are
 * arrays. Sessions that differ in a shared one need statements of their own. */
enum { IN_ROW, SHARED, NOT_SET };
static const char kind_of[IDV_SESSION_PARAM_COUNT] = {
    [IDV_COLUMN_organization_id] = SHARED,
    [IDV_COLUMN_application_id] = SHARED,
    [IDV_COLUMN_workflow_id] = SHARED,
    [IDV_COLUMN_workflow_version_id] = SHARED,
    [IDV_COLUMN_livemode] = SHARED,
    [IDV_COLUMN_revision] = SHARED,
    [IDV_COLUMN_status] = SHARED,
    [IDV_COLUMN_type] = SHARED,
    [IDV_COLUMN_methods] = SHARED,
    [IDV_COLUMN_age_tier] = SHARED,
    [IDV_SESSION_COLUMN_COUNT + 1] = SHARED, /* the version of its answer */
    [IDV_COLUMN_current_method] = NOT_SET,
    [IDV_COLUMN_completed_at] = NOT_SET,
    [IDV_COLUMN_cancelled_at] = NOT_SET,
    [IDV_COLUMN_verification_path] = NOT_SET,
    [IDV_COLUMN_active_device] = NOT_SET,
    [IDV_COLUMN_device_locked_at] = NOT_SET,
    [IDV_COLUMN_review_opened_at] = NOT_SET,
    [IDV_COLUMN_review_deadline_at] = NOT_SET,
    [IDV_COLUMN_verification_result] = NOT_SET,
    [IDV_COLUMN_results] = NOT_SET,
    [IDV_COLUMN_last_error] = NOT_SET,
};

static void add_columns(const idv_db_param_t *columns, int kind,
                        params_t *params)
{
    for (int i = 0; i < IDV_SESSION_PARAM_COUNT; i++)
        if (kind_of[i] == kind)
            add(params, columns[i]);
}

/* Zero if a column is set that create_guessed.sql does not write. */
static int is_new(const idv_db_param_t *columns)
{
    for (int i = 0; i < IDV_SESSION_PARAM_COUNT; i++)
        if (kind_of[i] == NOT_SET && (columns[i].value || columns[i].text[0]))
            return 0;
    return 1;
}

/* Adds the parameters of create_guessed.sql. */
static idv_error_t *add_new_session(const idv_session_creation_t *creation,
                                    const idv_db_guard_t *guard,
                                    const idv_db_param_t *columns,
                                    params_t *params, apr_pool_t *pool)
{
    add_columns(columns, SHARED, params);
    add(params, event_type_of(creation));
    add(params, route_of(creation));
    add(params, status_of(creation));
    IDV_TRY(add_guess(creation, guard, params, pool));
    params->shared = params->count;
    add_columns(columns, IN_ROW, params);
    add_event(creation, params, pool);
    return add_answer(creation, params, pool);
}

idv_error_t *idv_session_insert_guessed(idv_statement_group_t *group,
                                        const idv_session_creation_t *creation,
                                        idv_db_guard_t *guard,
                                        idv_session_creation_result_t *result,
                                        apr_pool_t *pool)
{
    params_t *params = apr_pcalloc(pool, sizeof(*params));
    idv_db_param_t columns[IDV_SESSION_PARAM_COUNT];
    idv_statement_call_t call = {
        .statement = IDV_SQL_SESSION_CREATE_GUESSED,
        .row_id = creation->record->session->id,
        .lock_key = lock_key_of(creation, pool),
        .trace = creation->trace,
    };
    idv_db_result_t *rows;

    idv_session_row_params(creation->record, columns, pool);
    if (!is_new(columns))
        return NULL;
    IDV_TRY(add_new_session(creation, guard, columns, params, pool));
    call.params = (idv_db_params_t){params->items, params->count};
    call.shared = params->shared;
    IDV_TRY(idv_statement_group_run(group, &call, &rows, pool));
    result->stored = rows && idv_db_rows(rows) == 1;
    result->queued = result->stored && idv_db_get_bool(rows, 0, 1);
    guard->passed |= result->stored;
    return NULL;
}

typedef struct {
    const idv_session_creation_t *creation;
    idv_session_creation_result_t *result;
} insertion_t;

/* A session that is born verified may have effects and more than one event; with
 * any session the caller may write something in its transaction; and near the
 * bound of sessions under way this one may be too many. */
static idv_error_t *insert_with_effects(idv_db_t *db, void *baton,
                                        apr_pool_t *pool)
{
    insertion_t *insertion = baton;
    const idv_session_creation_t *creation = insertion->creation;
    idv_session_effects_t effects = {
        .record = creation->record,
        .change = creation->change,
        .workflow = creation->facts->workflow,
        .keyring = creation->keyring,
        .now = creation->record->session->created,
    };
    idv_session_queued_t queued = {0};

    IDV_TRY(insert_session(db, creation, insertion->result, pool));
    if (!insertion->result->stored)
        return NULL;
    if (creation->in_transaction)
        IDV_TRY(creation->in_transaction(db, creation->baton,
                                         &queued.deliveries, pool));
    IDV_TRY(idv_session_announce(db, &effects, 1, &queued, pool));
    IDV_TRY(idv_session_run_effects(db, &effects, &queued, pool));
    insertion->result->queued |= queued.deliveries > 0;
    return is_near_bound(creation)
             ? idv_ledger_bound(db, effects.record->session,
                                creation->facts->standing.account.overdraft,
                                effects.now, pool)
             : NULL;
}

int idv_session_is_plain(const idv_session_change_t *change)
{
    return change->event_count == 1 && !change->effects;
}

idv_error_t *idv_session_insert(idv_db_t *db,
                                const idv_session_creation_t *creation,
                                idv_session_creation_result_t *result,
                                apr_pool_t *pool)
{
    insertion_t insertion = {creation, result};

    if (idv_session_is_plain(creation->change) && !creation->in_transaction
        && !is_near_bound(creation))
        return insert_session(db, creation, result, pool);
    return idv_db_transaction(db, insert_with_effects, &insertion, pool);
}
