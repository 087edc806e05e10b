/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/db.h"

#include <string.h>

#include <apr_strings.h>

#include "store/db/db_result.h"
#include "store/db/db_state.h"

#define RETRY_AFTER_SECONDS 2
#define TRANSACTION_ATTEMPTS 3
#define LOCK_NOT_AVAILABLE "55P03"
#define BYTEA 17 /* the type's number in every PostgreSQL */

/* --- errors --- */

/* SQLSTATEs that say nothing about the statement: the same request may succeed
 * a little later. Every other one is an error of this module. */
static const struct {
    const char *sqlstate; /* or its class */
    int retryable;        /* the same transaction may succeed */
} temporary_states[] = {
    {"08", 0},    /* connection exception */
    {"40001", 1}, /* serialization failure */
    {"40P01", 1}, /* deadlock */
    {"53", 0},    /* insufficient resources */
    {LOCK_NOT_AVAILABLE, 0},
    {"57", 0},    /* operator intervention, statement timeout */
    {"25006", 0}, /* read-only: a standby was promoted elsewhere */
};

/* The error of WHAT, whose result is RESULT. libpq gives a result without a
 * SQLSTATE when it was libpq that failed, which it does when the server is
 * gone. */
static idv_error_t *failure(idv_db_t *db, const PGresult *result,
                            const char *what, apr_pool_t *pool)
{
    const char *state =
        result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;

    db->retryable = 0;
    db->lock_timed_out = state && strcmp(state, LOCK_NOT_AVAILABLE) == 0;
    if (!state)
        return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "%s: the connection to PostgreSQL is lost",
                                     what);
    for (size_t i = 0; i < sizeof(temporary_states) / sizeof(*temporary_states);
         i++) {
        const char *known = temporary_states[i].sqlstate;

        if (strncmp(state, known, strlen(known)) == 0) {
            db->retryable = temporary_states[i].retryable;
            return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                         "%s: SQLSTATE %s", what, state);
        }
    }
    return idv_error_internal(pool, "%s: SQLSTATE %s", what, state);
}

int idv_db_lock_timed_out(const idv_db_t *db)
{
    return db->lock_timed_out;
}

/* --- statements --- */

static apr_status_t clear_result(void *result)
{
    PQclear(result);
    return APR_SUCCESS;
}

/* Non-zero when RESULT has a bytea that idv_db_get_bytes() cannot read, which
 * another bytea_output than `hex` makes. */
static int has_unreadable_bytes(const PGresult *result)
{
    for (int column = 0; column < PQnfields(result); column++)
        for (int row = 0;
             PQftype(result, column) == BYTEA && row < PQntuples(result); row++)
            if (!PQgetisnull(result, row, column)
                && strncmp(PQgetvalue(result, row, column), "\\x", 2) != 0)
                return 1;
    return 0;
}

/* Gives RESULT to POOL, and the error that it stands for. */
static idv_error_t *keep_result(idv_db_t *db, PGresult *result,
                                const char *what, apr_pool_t *pool)
{
    ExecStatusType status = PQresultStatus(result);

    if (result)
        apr_pool_cleanup_register(pool, result, clear_result,
                                  apr_pool_cleanup_null);
    if (status == PGRES_TUPLES_OK && has_unreadable_bytes(result))
        return idv_error_internal(pool, "%s: bytea_output is not hex", what);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return NULL;
    return failure(db, result, what, pool);
}

/* Has the backend know STATEMENT by its name, once for each connection. A
 * pooler that changes backends has to prepare it on each
 * (conf/manual/database.md). */
static idv_error_t *prepare(idv_db_t *db, idv_sql_t statement, apr_pool_t *pool)
{
    const idv_sql_text_t *sql = &idv_sql_texts[statement];

    if (db->state->prepared[statement])
        return NULL;
    IDV_TRY(keep_result(
        db, PQprepare(db->connection, sql->name, sql->text, 0, NULL), sql->name,
        pool));
    db->state->prepared[statement] = 1;
    return NULL;
}

/* The parameters in the form that libpq takes. */
typedef struct {
    const char *values[IDV_DB_PARAMS_MAX];
    int lengths[IDV_DB_PARAMS_MAX];
    int formats[IDV_DB_PARAMS_MAX];
} native_params_t;

static void fill_native(native_params_t *native, idv_db_params_t params)
{
    for (int i = 0; i < params.count; i++) {
        const idv_db_param_t *param = &params.values[i];

        native->values[i] = param->text[0] ? param->text : param->value;
        native->lengths[i] = param->length;
        native->formats[i] = param->binary;
    }
}

/* Non-zero for as many parameters as STATEMENT takes. */
static int is_complete(idv_sql_t statement, int count)
{
    return count == idv_sql_texts[statement].parameters
        && count <= IDV_DB_PARAMS_MAX;
}

static idv_error_t *fill_params(native_params_t *native, idv_sql_t statement,
                                idv_db_params_t params, apr_pool_t *pool)
{
    if (!is_complete(statement, params.count))
        return idv_error_internal(pool, "%s: called with %d parameters",
                                  idv_sql_texts[statement].name, params.count);
    fill_native(native, params);
    return NULL;
}

static idv_error_t *execute(idv_db_t *db, idv_sql_t statement,
                            idv_db_params_t params, idv_db_result_t **out,
                            apr_pool_t *pool)
{
    const idv_sql_text_t *sql = &idv_sql_texts[statement];
    idv_db_result_t *result = apr_pcalloc(pool, sizeof(*result));
    native_params_t native;
    idv_span_t span;
    idv_error_t *error;

    IDV_TRY(fill_params(&native, statement, params, pool));
    idv_span_begin(&span, db->trace, IDV_SPAN_DATABASE, sql->name);
    error = prepare(db, statement, pool);
    if (!error) {
        result->result =
            PQexecPrepared(db->connection, sql->name, params.count,
                           native.values, native.lengths, native.formats, 0);
        *out = result;
        error = keep_result(db, result->result, sql->name, pool);
    }
    idv_span_end(&span, error != NULL);
    return error;
}

/* --- the trace --- */

void idv_db_set_trace(idv_db_t *db, const idv_trace_context_t *trace)
{
    db->trace = trace;
}

const idv_trace_context_t *idv_db_trace(const idv_db_t *db)
{
    return db->trace;
}

idv_db_param_t idv_db_trace_param(const idv_trace_context_t *trace)
{
    return idv_db_bytes((idv_bytes_t){(const unsigned char *)trace,
                                      trace ? IDV_TRACE_CONTEXT_BYTES : 0});
}

/* --- the guard --- */

void idv_db_set_guard(idv_db_t *db, idv_db_guard_t *guard)
{
    db->guard = guard;
}

static idv_error_t *judge(idv_db_guard_t *guard, const idv_db_result_t *rows,
                          apr_pool_t *pool)
{
    IDV_TRY(guard->check(guard->baton, rows, pool));
    guard->passed = 1;
    return NULL;
}

/* Runs the guard that has not passed in a round trip of its own, before what
 * must not run without it. */
static idv_error_t *pass_guard(idv_db_t *db, apr_pool_t *pool)
{
    idv_db_guard_t *guard = db->guard;
    idv_db_result_t *rows;

    if (!guard || guard->passed)
        return NULL;
    IDV_TRY(execute(db, guard->statement, guard->params, &rows, pool));
    return judge(guard, rows, pool);
}

static int send_prepared(idv_db_t *db, idv_sql_t statement,
                         const native_params_t *native, int count)
{
    return PQsendQueryPrepared(db->connection, idv_sql_texts[statement].name,
                               count, native->values, native->lengths,
                               native->formats, 0);
}

/* The result of the next statement of a pipeline; NULL when the connection is
 * lost. */
static idv_db_result_t *receive(idv_db_t *db, apr_pool_t *pool)
{
    idv_db_result_t *result = apr_pcalloc(pool, sizeof(*result));
    PGresult *more;

    result->result = PQgetResult(db->connection);
    while (result->result && (more = PQgetResult(db->connection)))
        PQclear(more);
    return result;
}

idv_error_t *idv_db_send(idv_db_t *db, idv_sql_t statement,
                         idv_db_params_t params, apr_pool_t *pool)
{
    native_params_t native;

    IDV_TRY(fill_params(&native, statement, params, pool));
    IDV_TRY(prepare(db, statement, pool));
    db->sent = statement;
    if (!send_prepared(db, statement, &native, params.count))
        return failure(db, NULL, idv_sql_texts[statement].name, pool);
    return NULL;
}

idv_error_t *idv_db_receive(idv_db_t *db, int wait, idv_db_result_t **out,
                            apr_pool_t *pool)
{
    idv_db_result_t *result;
    PGresult *more;

    *out = NULL;
    /* A connection that is lost shows in the result. */
    if (!wait)
        PQconsumeInput(db->connection);
    do {
        if (!wait && PQisBusy(db->connection))
            return NULL;
        more = PQgetResult(db->connection);
        if (more) {
            PQclear(db->arrived);
            db->arrived = more;
        }
    } while (more);
    result = apr_pcalloc(pool, sizeof(*result));
    result->result = db->arrived;
    db->arrived = NULL;
    *out = result;
    return keep_result(db, result->result, idv_sql_texts[db->sent].name, pool);
}

/* A statement to be executed in a pipeline. */
typedef struct {
    idv_sql_t statement;
    idv_db_params_t params;
    const char *settings; /* a SELECT that sets them, replanned; or NULL */
} call_t;

/* Holds until the end of the transaction; outside of one the pipeline is a
 * transaction of its own. */
static const char plan_anew[] =
    "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)";

static int send_call(idv_db_t *db, const call_t *call,
                     const native_params_t *native)
{
    if (!call->settings)
        return send_prepared(db, call->statement, native, call->params.count);
    return PQsendQueryParams(db->connection, call->settings, 0, NULL, NULL,
                             NULL, NULL, 0)
        && PQsendQueryParams(db->connection,
                             idv_sql_texts[call->statement].text,
                             call->params.count, NULL, native->values,
                             native->lengths, native->formats, 0);
}

/* Checks GUARD for failures of its own before anything is sent; no effect if it
 * is NULL. */
static idv_error_t *ready_guard(idv_db_t *db, const idv_db_guard_t *guard,
                                native_params_t *native, apr_pool_t *pool)
{
    if (!guard)
        return NULL;
    IDV_TRY(fill_params(native, guard->statement, guard->params, pool));
    return prepare(db, guard->statement, pool);
}

/* Runs CALL, and before it the guard that has not passed, in one round trip.
 * Both run whatever the guard finds, so CALL must change nothing when there is
 * one; its rows are given out after the guard was judged. A connection that is
 * left in the middle of the pipeline counts as lost. */
static idv_error_t *run_pipeline(idv_db_t *db, const call_t *call,
                                 idv_db_result_t **out, apr_pool_t *pool)
{
    idv_db_guard_t *guard = db->guard && !db->guard->passed ? db->guard : NULL;
    const char *name = idv_sql_texts[call->statement].name;
    idv_error_t *error, *guard_error = NULL;
    idv_db_result_t *rows = NULL;
    native_params_t native, guard_native;

    IDV_TRY(fill_params(&native, call->statement, call->params, pool));
    IDV_TRY(ready_guard(db, guard, &guard_native, pool));
    if (!call->settings)
        IDV_TRY(prepare(db, call->statement, pool));
    if (!PQenterPipelineMode(db->connection)
        || (guard
            && !send_prepared(db, guard->statement, &guard_native,
                              guard->params.count))
        || !send_call(db, call, &native) || !PQpipelineSync(db->connection))
        return failure(db, NULL, name, pool);
    if (guard)
        rows = receive(db, pool);
    if (call->settings)
        PQclear(receive(db, pool)->result);
    *out = receive(db, pool);
    PQclear(PQgetResult(db->connection)); /* of the synchronization */
    if (guard)
        guard_error = keep_result(db, rows->result,
                                  idv_sql_texts[guard->statement].name, pool);
    error = keep_result(db, (*out)->result, name, pool);
    if (!PQexitPipelineMode(db->connection) && !guard_error && !error)
        error = failure(db, NULL, name, pool);
    IDV_TRY(guard_error);
    if (guard)
        IDV_TRY(judge(guard, rows, pool));
    return error;
}

static idv_error_t *execute_pipelined(idv_db_t *db, const call_t *call,
                                      idv_db_result_t **out, apr_pool_t *pool)
{
    idv_span_t span;
    idv_error_t *error;

    idv_span_begin(&span, db->trace, IDV_SPAN_DATABASE,
                   idv_sql_texts[call->statement].name);
    error = run_pipeline(db, call, out, pool);
    idv_span_end(&span, error != NULL);
    return error;
}

/* Non-zero for a statement that may run before the guard is judged. All that
 * write begin with WITH, INSERT, UPDATE or DELETE. */
static int changes_nothing(idv_sql_t statement)
{
    const char *text = idv_sql_texts[statement].text;

    return strncmp(text + strspn(text, " \n"), "SELECT", 6) == 0;
}

idv_error_t *idv_db_query(idv_db_t *db, idv_sql_t statement,
                          idv_db_params_t params, idv_db_result_t **out,
                          apr_pool_t *pool)
{
    if (db->guard && !db->guard->passed && changes_nothing(statement))
        return execute_pipelined(
            db, &(call_t){statement, params, .settings = NULL}, out, pool);
    IDV_TRY(pass_guard(db, pool));
    return execute(db, statement, params, out, pool);
}

static idv_error_t *query_by_settings(idv_db_t *db, const call_t *call,
                                      idv_db_result_t **out, apr_pool_t *pool)
{
    if (!changes_nothing(call->statement))
        IDV_TRY(pass_guard(db, pool));
    return execute_pipelined(db, call, out, pool);
}

idv_error_t *idv_db_query_planned(idv_db_t *db, idv_sql_t statement,
                                  idv_db_params_t params, idv_db_result_t **out,
                                  apr_pool_t *pool)
{
    const call_t call = {statement, params, plan_anew};

    return query_by_settings(db, &call, out, pool);
}

idv_error_t *idv_db_query_bound(idv_db_t *db, idv_sql_t statement,
                                idv_db_params_t params, idv_db_result_t **out,
                                apr_pool_t *pool)
{
    const call_t call = {statement, params,
                         idv_sql_texts[IDV_SQL_CONNECTION_BOUND].text};

    return query_by_settings(db, &call, out, pool);
}

idv_error_t *idv_db_query_brief(idv_db_t *db, idv_sql_t statement,
                                idv_db_params_t params, idv_db_result_t **out,
                                apr_pool_t *pool)
{
    const call_t call = {statement, params,
                         idv_sql_texts[IDV_SQL_CONNECTION_BRIEF].text};

    return query_by_settings(db, &call, out, pool);
}

idv_error_t *idv_db_execute(idv_db_t *db, idv_sql_t statement,
                            idv_db_params_t params, apr_int64_t *changed,
                            apr_pool_t *pool)
{
    idv_db_result_t *result = NULL;

    IDV_TRY(idv_db_query(db, statement, params, &result, pool));
    if (changed && result)
        *changed = apr_atoi64(PQcmdTuples(result->result));
    return NULL;
}

idv_error_t *idv_db_script(idv_db_t *db, const char *text, apr_pool_t *pool)
{
    IDV_TRY(pass_guard(db, pool));
    return keep_result(db, PQexec(db->connection, text), "script", pool);
}

/* --- batches --- */

/* Prepares STATEMENT if need be; zero when that fails. Like prepare(), but
 * without a pool: a batch serves several threads, and an error would be
 * nobody's. */
static int is_prepared(idv_db_t *db, idv_sql_t statement)
{
    const idv_sql_text_t *sql = &idv_sql_texts[statement];
    PGresult *result;

    if (db->state->prepared[statement])
        return 1;
    result = PQprepare(db->connection, sql->name, sql->text, 0, NULL);
    db->state->prepared[statement] =
        PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return db->state->prepared[statement];
}

static int send_item(idv_db_t *db, const idv_db_batch_item_t *item)
{
    native_params_t native;

    fill_native(&native, item->params);
    return send_prepared(db, item->statement, &native, item->params.count);
}

/* Takes the results of all ITEMS and then the synchronization, which the server
 * confirms after the commit. Non-zero when it has confirmed. */
static int receive_items(idv_db_t *db, idv_db_batch_item_t **items, int count)
{
    PGresult *last, *more;
    int is_confirmed;

    for (int i = 0; i < count; i++) {
        items[i]->result = PQgetResult(db->connection);
        while (items[i]->result && (more = PQgetResult(db->connection)))
            PQclear(more);
    }
    last = PQgetResult(db->connection);
    is_confirmed = PQresultStatus(last) == PGRES_PIPELINE_SYNC;
    PQclear(last);
    return is_confirmed;
}

idv_db_batch_outcome_t idv_db_batch(idv_db_t *db, idv_db_batch_item_t **items,
                                    int count)
{
    int sent = 0, failed = 0, is_confirmed;

    for (int i = 0; i < count; i++) {
        items[i]->result = NULL;
        if (!is_complete(items[i]->statement, items[i]->params.count)
            || !is_prepared(db, items[i]->statement))
            return IDV_DB_BATCH_FAILED;
    }
    if (!PQenterPipelineMode(db->connection))
        return IDV_DB_BATCH_FAILED;
    while (sent < count && send_item(db, items[sent]))
        sent++;
    is_confirmed = sent == count && PQpipelineSync(db->connection)
        && receive_items(db, items, count);
    if (!is_confirmed || !PQexitPipelineMode(db->connection))
        return IDV_DB_BATCH_UNKNOWN;
    for (int i = 0; i < count; i++)
        if (has_unreadable_bytes(items[i]->result))
            return IDV_DB_BATCH_UNKNOWN;
    for (int i = 0; i < count; i++)
        failed |= PQresultStatus(items[i]->result) != PGRES_TUPLES_OK
            && PQresultStatus(items[i]->result) != PGRES_COMMAND_OK;
    return failed ? IDV_DB_BATCH_FAILED : IDV_DB_BATCH_COMMITTED;
}

idv_db_result_t *idv_db_batch_result(const idv_db_batch_item_t *item,
                                     apr_pool_t *pool)
{
    idv_db_result_t *result;

    if (!item->result)
        return NULL;
    result = apr_pcalloc(pool, sizeof(*result));
    result->result = item->result;
    apr_pool_cleanup_register(pool, result->result, clear_result,
                              apr_pool_cleanup_null);
    return result;
}

/* --- transactions --- */

/* One run of a transaction. Where it waits for a lock, it has to see what the
 * holder of the lock has committed, whatever the database's default is. */
static idv_error_t *attempt(idv_db_t *db, idv_db_work_t *work, void *baton,
                            apr_pool_t *pool)
{
    idv_error_t *error;

    IDV_TRY(idv_db_script(db, "BEGIN ISOLATION LEVEL READ COMMITTED", pool));
    error = work(db, baton, pool);
    /* COMMIT of a failed transaction rolls back and reports success. */
    if (!error && !idv_db_in_transaction(db))
        error = idv_error_internal(pool, "a transaction failed unnoticed");
    if (!error)
        return idv_db_script(db, "COMMIT", pool);
    idv_db_rollback(db);
    return error;
}

/* The same inside of another transaction. */
static idv_error_t *attempt_inside(idv_db_t *db, idv_db_work_t *work,
                                   void *baton, apr_pool_t *pool)
{
    idv_error_t *error;

    IDV_TRY(idv_db_script(db, "SAVEPOINT inside", pool));
    error = work(db, baton, pool);
    if (!error && !idv_db_in_transaction(db))
        error = idv_error_internal(pool, "a transaction failed unnoticed");
    if (!error)
        return idv_db_script(db, "RELEASE SAVEPOINT inside", pool);
    /* Where the connection is lost, so is the outer transaction. */
    PQclear(PQexec(db->connection,
                   "ROLLBACK TO SAVEPOINT inside; RELEASE SAVEPOINT inside"));
    return error;
}

idv_error_t *idv_db_transaction(idv_db_t *db, idv_db_work_t *work, void *baton,
                                apr_pool_t *pool)
{
    idv_error_t *error = NULL;

    if (idv_db_in_transaction(db))
        return attempt_inside(db, work, baton, pool);
    for (int i = 0; i < TRANSACTION_ATTEMPTS; i++) {
        db->retryable = 0;
        error = attempt(db, work, baton, pool);
        if (!error || !db->retryable)
            break;
    }
    return error;
}

int idv_db_in_transaction(const idv_db_t *db)
{
    return PQtransactionStatus(db->connection) == PQTRANS_INTRANS;
}

void idv_db_rollback(idv_db_t *db)
{
    PGTransactionStatusType status = PQtransactionStatus(db->connection);

    if (status == PQTRANS_INTRANS || status == PQTRANS_INERROR)
        PQclear(PQexec(db->connection, "ROLLBACK"));
}
