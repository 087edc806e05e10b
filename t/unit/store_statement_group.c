/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements of many threads in one pipeline, on the tests' PostgreSQL. The
 * statements are the test's own: it takes the place of those that are embedded.
 */
#include "unit/unit.h"

#include <pthread.h>
#include <stdio.h>

#include <apr_strings.h>

#include "store/db/statement_group.c"

enum { INSERT, INSERT_ONCE, WAIT, FAIL, DIE, INSERT_ROWS };
const idv_sql_text_t idv_sql_texts[IDV_SQL_COUNT] = {
    [INSERT] = {"insert", 1,
                "INSERT INTO statement_group_test VALUES ($1::integer, NULL)"
                " RETURNING n"},
    [INSERT_ONCE] = {"insert_once", 2,
                     "INSERT INTO statement_group_test VALUES ($1::integer,"
                     " $2::text) ON CONFLICT DO NOTHING RETURNING n"},
    [WAIT] = {"wait", 1, "SELECT pg_advisory_xact_lock($1::integer)"},
    [FAIL] = {"fail", 1, "SELECT 1 / ($1::integer - $1::integer)"},
    [DIE] = {"die", 0, "SELECT pg_terminate_backend(pg_backend_pid())"},
    [INSERT_ROWS] = {"insert_rows", 4,
                     "INSERT INTO statement_group_test_row"
                     " SELECT $1::text, ($2::text[])[n], ($3::text[])[n]::integer,"
                     "        ($4::bytea[])[n]"
                     "   FROM (SELECT generate_subscripts($2::text[], 1) AS n)"
                     "        place"
                     "  WHERE ($3::text[])[n] IS DISTINCT FROM '13'"
                     " RETURNING id, shared, value, bytes"},
    [IDV_SQL_CONNECTION_IMPATIENT] =
        {"impatient", 0, "SELECT set_config('lock_timeout', '200ms', true)"},
};

#define LOCK 20461
#define THREADS 40

/* --- a source of one connection at a time --- */

static idv_error_t *open_connection(const idv_db_source_t *source,
                                    const idv_db_claim_t *claim, idv_db_t **db,
                                    apr_pool_t *pool)
{
    (void)claim;
    if (!source->baton)
        return idv_error_unavailable(pool, 1, "none");
    return idv_db_connect(source->baton, db, pool);
}
static void close_connection(const idv_db_source_t *source, idv_db_t *db)
{
    (void)source;
    (void)db; /* with its pool */
}

typedef struct {
    idv_db_source_t source;
    idv_statement_group_t *group;
    idv_db_t *db; /* the test's own */
} fixture_t;

static void execute(idv_db_t *db, const char *text, apr_pool_t *pool)
{
    assert_null(idv_db_script(db, text, pool));
}

static void set_up(fixture_t *fixture, apr_pool_t *pool)
{
    const char *conninfo = unit_conninfo(pool);

    fixture->source = (idv_db_source_t){open_connection, close_connection,
                                        (void *)conninfo};
    assert_null(
        idv_statement_group_create(&fixture->source, 0, &fixture->group, pool));
    assert_null(idv_db_connect(conninfo, &fixture->db, pool));
    execute(fixture->db,
            "DROP TABLE IF EXISTS statement_group_test;"
            "CREATE TABLE statement_group_test (n integer, key text UNIQUE);"
            "DROP TABLE IF EXISTS statement_group_test_row;"
            "CREATE TABLE statement_group_test_row (shared text, id text UNIQUE,"
            " value integer CHECK (value <> 99), bytes bytea)",
            pool);
}

static apr_int64_t number(idv_db_t *db, const char *text)
{
    PGresult *result = PQexec(idv_db_native(db), text);
    apr_int64_t value;

    assert_int_equal(PQresultStatus(result), PGRES_TUPLES_OK);
    value = apr_atoi64(PQgetvalue(result, 0, 0));
    PQclear(result);
    return value;
}

/* --- threads --- */

typedef struct {
    idv_statement_group_t *group;
    idv_statement_call_t call;
    idv_db_param_t params[2];
    apr_pool_t *pool;
    pthread_t thread;
    idv_error_t *error;
    int rows; /* -1: the group failed */
} caller_t;

static void *run_caller(void *data)
{
    caller_t *caller = data;
    idv_db_result_t *result;

    caller->error = idv_statement_group_run(caller->group, &caller->call, &result,
                                         caller->pool);
    caller->rows = result ? idv_db_rows(result) : -1;
    return NULL;
}

static void start(fixture_t *fixture, caller_t *caller, int statement,
                  int argument, const char *key)
{
    caller->group = fixture->group;
    caller->params[0] = idv_db_int(argument);
    caller->params[1] = idv_db_text(key);
    caller->call = (idv_statement_call_t){
        .statement = (idv_sql_t)statement,
        .params = {caller->params, statement == DIE           ? 0
                                   : statement == INSERT_ONCE ? 2
                                                              : 1},
        .lock_key = key};
    apr_pool_create_unmanaged(&caller->pool);
    assert_int_equal(
        pthread_create(&caller->thread, NULL, run_caller, caller), 0);
}

static void join(caller_t *callers, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
}

static void release(caller_t *callers, int count)
{
    for (int i = 0; i < count; i++)
        apr_pool_destroy(callers[i].pool);
}

static void pause_a_moment(void)
{
    const struct timespec moment = {0, 1000000};

    nanosleep(&moment, NULL);
}

/* Until COUNT threads wait for their leader. */
static void await_waiting(idv_statement_group_t *group, int count)
{
    int waiting = 0;

    while (waiting < count) {
        pause_a_moment();
        waiting = 0;
        pthread_mutex_lock(&group->mutex);
        for (member_t *member = group->first; member; member = member->next)
            waiting++;
        pthread_mutex_unlock(&group->mutex);
    }
}

/* A leader that stays with its statement until the lock is free, so that all
 * who come meanwhile are in groups after it. */
static void hold_leader(fixture_t *fixture, caller_t *leader, apr_pool_t *pool)
{
    execute(fixture->db,
            apr_psprintf(pool, "SELECT pg_advisory_lock(%d)", LOCK), pool);
    start(fixture, leader, WAIT, LOCK, NULL);
    while (!number(fixture->db,
                   "SELECT count(*) FROM pg_locks"
                   " WHERE locktype = 'advisory' AND NOT granted"))
        pause_a_moment();
}
static void let_go(fixture_t *fixture, apr_pool_t *pool)
{
    execute(fixture->db,
            apr_psprintf(pool, "SELECT pg_advisory_unlock(%d)", LOCK), pool);
}

/* --- tests --- */

static void statements_that_wait_are_one_commit(void **state)
{
    caller_t leader, callers[THREADS];
    fixture_t fixture;

    set_up(&fixture, *state);
    hold_leader(&fixture, &leader, *state);
    for (int i = 0; i < THREADS; i++)
        start(&fixture, &callers[i], INSERT, i, NULL);
    await_waiting(fixture.group, THREADS);
    let_go(&fixture, *state);
    join(&leader, 1);
    join(callers, THREADS);
    for (int i = 0; i < THREADS; i++) {
        assert_null(callers[i].error);
        assert_int_equal(callers[i].rows, 1);
    }
    assert_int_equal(number(fixture.db, "SELECT count(DISTINCT n)"
                                        "  FROM statement_group_test"),
                     THREADS);
    /* A whole group, and one of those that did not fit into it. */
    assert_int_equal(number(fixture.db, "SELECT count(DISTINCT xmin::text)"
                                        "  FROM statement_group_test"),
                     2);
    assert_null(fixture.group->first);
    assert_int_equal(fixture.group->leaders, 0);
    release(&leader, 1);
    release(callers, THREADS);
}

static void nothing_of_a_failed_group_has_happened(void **state)
{
    caller_t leader, callers[3];
    fixture_t fixture;

    set_up(&fixture, *state);
    hold_leader(&fixture, &leader, *state);
    start(&fixture, &callers[0], INSERT, 1, NULL);
    start(&fixture, &callers[1], FAIL, 1, NULL);
    start(&fixture, &callers[2], INSERT, 2, NULL);
    await_waiting(fixture.group, 3);
    let_go(&fixture, *state);
    join(&leader, 1);
    join(callers, 3);
    for (int i = 0; i < 3; i++) {
        assert_null(callers[i].error);
        assert_int_equal(callers[i].rows, -1);
    }
    assert_int_equal(number(fixture.db, "SELECT count(*)"
                                        "  FROM statement_group_test"),
                     0);
    release(&leader, 1);
    release(callers, 3);
}

static void the_second_of_one_key_finds_the_first(void **state)
{
    caller_t leader, callers[3];
    fixture_t fixture;

    set_up(&fixture, *state);
    hold_leader(&fixture, &leader, *state);
    start(&fixture, &callers[0], INSERT_ONCE, 1, "b");
    start(&fixture, &callers[1], INSERT_ONCE, 2, "a");
    start(&fixture, &callers[2], INSERT_ONCE, 3, "b");
    await_waiting(fixture.group, 3);
    let_go(&fixture, *state);
    join(&leader, 1);
    join(callers, 3);
    assert_int_equal(callers[1].rows, 1);
    assert_int_equal(callers[0].rows + callers[2].rows, 1);
    assert_int_equal(number(fixture.db, "SELECT count(DISTINCT xmin::text)"
                                        "  FROM statement_group_test"),
                     1);
    /* In the order of their keys, whoever came first. */
    assert_int_equal(number(fixture.db, "SELECT n FROM statement_group_test"
                                        " ORDER BY ctid LIMIT 1"),
                     2);
    release(&leader, 1);
    release(callers, 3);
}

static void a_lost_connection_is_said(void **state)
{
    caller_t leader, callers[2];
    fixture_t fixture;

    set_up(&fixture, *state);
    hold_leader(&fixture, &leader, *state);
    start(&fixture, &callers[0], INSERT, 1, NULL);
    start(&fixture, &callers[1], DIE, 0, NULL);
    await_waiting(fixture.group, 2);
    let_go(&fixture, *state);
    join(&leader, 1);
    join(callers, 2);
    for (int i = 0; i < 2; i++) {
        assert_non_null(callers[i].error);
        assert_int_equal(callers[i].error->code, IDV_E_SERVICE_UNAVAILABLE);
    }
    assert_int_equal(number(fixture.db, "SELECT count(*)"
                                        "  FROM statement_group_test"),
                     0);
    release(&leader, 1);
    release(callers, 2);
}

static void a_key_that_is_held_fails_the_group(void **state)
{
    caller_t leader, callers[2];
    fixture_t fixture;

    set_up(&fixture, *state);
    hold_leader(&fixture, &leader, *state);
    start(&fixture, &callers[0], INSERT_ONCE, 1, "free");
    start(&fixture, &callers[1], INSERT_ONCE, 2, "held");
    await_waiting(fixture.group, 2);
    execute(fixture.db,
            "BEGIN; INSERT INTO statement_group_test VALUES (0, 'held')", *state);
    let_go(&fixture, *state);
    join(&leader, 1);
    join(callers, 2); /* before the holder ends */
    for (int i = 0; i < 2; i++) {
        assert_null(callers[i].error);
        assert_int_equal(callers[i].rows, -1);
    }
    execute(fixture.db, "COMMIT", *state);
    assert_int_equal(number(fixture.db, "SELECT count(*)"
                                        "  FROM statement_group_test"),
                     1);
    release(&leader, 1);
    release(callers, 2);
}

static void all_are_told_when_there_is_no_connection(void **state)
{
    caller_t callers[4];
    fixture_t fixture;

    set_up(&fixture, *state);
    fixture.source.baton = NULL;
    for (int i = 0; i < 4; i++)
        start(&fixture, &callers[i], INSERT, i, NULL);
    join(callers, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(callers[i].error->code, IDV_E_SERVICE_UNAVAILABLE);
    assert_int_equal(fixture.group->leaders, 0);
    release(callers, 4);
}

/* --- statements over rows --- */

typedef struct {
    const char *shared, *id;
    int value;         /* negative: none */
    const char *bytes; /* NULL: none */
    int rows;          /* expected in the result of the caller */
} row_t;

typedef struct {
    caller_t caller;
    idv_db_param_t params[4];
    const row_t *row;
    idv_db_result_t *result;
} row_caller_t;

static void *run_row_caller(void *data)
{
    row_caller_t *self = data;

    self->caller.error =
        idv_statement_group_run(self->caller.group, &self->caller.call,
                                &self->result, self->caller.pool);
    return NULL;
}

static void start_row(fixture_t *fixture, row_caller_t *self, const row_t *row)
{
    idv_bytes_t bytes = {(const unsigned char *)row->bytes,
                         row->bytes ? strlen(row->bytes) : 0};

    self->row = row;
    self->params[0] = idv_db_text(row->shared);
    self->params[1] = idv_db_text(row->id);
    self->params[2] = row->value < 0 ? idv_db_null() : idv_db_int(row->value);
    self->params[3] = idv_db_bytes(bytes);
    self->caller.group = fixture->group;
    self->caller.call = (idv_statement_call_t){
        .statement = (idv_sql_t)INSERT_ROWS,
        .params = {self->params, 4},
        .row_id = row->id,
        .shared = 1};
    apr_pool_create_unmanaged(&self->caller.pool);
    assert_int_equal(
        pthread_create(&self->caller.thread, NULL, run_row_caller, self), 0);
}

/* All ROWS in one group, each of a thread. */
static void insert_rows(fixture_t *fixture, const row_t *rows, int count,
                        row_caller_t *callers, apr_pool_t *pool)
{
    caller_t leader;

    hold_leader(fixture, &leader, pool);
    for (int i = 0; i < count; i++)
        start_row(fixture, &callers[i], &rows[i]);
    await_waiting(fixture->group, count);
    let_go(fixture, pool);
    join(&leader, 1);
    for (int i = 0; i < count; i++) {
        assert_int_equal(pthread_join(callers[i].caller.thread, NULL), 0);
        assert_null(callers[i].caller.error);
    }
    release(&leader, 1);
}

static void release_rows(row_caller_t *callers, int count)
{
    for (int i = 0; i < count; i++)
        apr_pool_destroy(callers[i].caller.pool);
}

static void check_row(const row_caller_t *caller)
{
    const row_t *row = caller->row;
    idv_bytes_t bytes;

    assert_int_equal(idv_db_rows(caller->result), row->rows);
    if (row->rows == 0)
        return;
    assert_string_equal(idv_db_get_text(caller->result, 0, 0), row->id);
    assert_int_equal(idv_db_is_null(caller->result, 0, 1), row->shared == NULL);
    if (row->shared)
        assert_string_equal(idv_db_get_text(caller->result, 0, 1), row->shared);
    assert_int_equal(idv_db_is_null(caller->result, 0, 2), row->value < 0);
    if (row->value >= 0)
        assert_int_equal(idv_db_get_int(caller->result, 0, 2), row->value);
    bytes = idv_db_get_bytes(caller->result, 0, 3, caller->caller.pool);
    assert_int_equal(bytes.data == NULL, row->bytes == NULL);
    if (row->bytes)
        assert_memory_equal(bytes.data, row->bytes, strlen(row->bytes));
}

static void each_gets_its_own_row_of_a_shared_statement(void **state)
{
    static const row_t rows[] = {
        {"one", "a", 1, "\x01\x02", 1},   {"two", "b", -1, NULL, 1},
        {"one", "c", 13, "refused", 0},   {NULL, "d", 4, "", 1},
        {"one", "{\"e\",NULL}", -1, "x", 1}, {"two", "f", 6, "\\x00", 1},
        {NULL, "NULL", 7, NULL, 1},       {"", "h", 8, NULL, 1},
    };
    enum { COUNT = sizeof(rows) / sizeof(*rows) };
    row_caller_t callers[COUNT];
    fixture_t fixture;

    set_up(&fixture, *state);
    insert_rows(&fixture, rows, COUNT, callers, *state);
    for (int i = 0; i < COUNT; i++)
        check_row(&callers[i]);
    /* One statement of each value that rows share, in one transaction. */
    assert_int_equal(number(fixture.db, "SELECT count(DISTINCT cmin::text)"
                                        "  FROM statement_group_test_row"),
                     4);
    assert_int_equal(number(fixture.db, "SELECT count(DISTINCT xmin::text)"
                                        "  FROM statement_group_test_row"),
                     1);
    release_rows(callers, COUNT);
}

static void a_row_that_fails_fails_the_group(void **state)
{
    static const row_t rows[] = {{"one", "a", 1, NULL, 0},
                                 {"one", "b", 99, NULL, 0},
                                 {"two", "c", 3, NULL, 0}};
    row_caller_t callers[3];
    fixture_t fixture;

    set_up(&fixture, *state);
    insert_rows(&fixture, rows, 3, callers, *state);
    for (int i = 0; i < 3; i++)
        assert_null(callers[i].result);
    assert_int_equal(number(fixture.db, "SELECT count(*)"
                                        "  FROM statement_group_test_row"),
                     0);
    release_rows(callers, 3);
}

static void whoever_has_patience_no_longer_leads(void **state)
{
    caller_t leader, callers[THREADS];
    fixture_t fixture;

    set_up(&fixture, *state);
    assert_null(idv_statement_group_create(
        &fixture.source, apr_time_from_msec(5), &fixture.group, *state));
    hold_leader(&fixture, &leader, *state);
    for (int i = 0; i < THREADS; i++)
        start(&fixture, &callers[i], INSERT, i, NULL);
    join(callers, THREADS); /* while the first leader still waits */
    for (int i = 0; i < THREADS; i++) {
        assert_null(callers[i].error);
        assert_int_equal(callers[i].rows, 1);
    }
    assert_int_equal(number(fixture.db, "SELECT count(DISTINCT n)"
                                        "  FROM statement_group_test"),
                     THREADS);
    assert_int_equal(fixture.group->leaders, 1);
    let_go(&fixture, *state);
    join(&leader, 1);
    assert_int_equal(fixture.group->leaders, 0);
    release(&leader, 1);
    release(callers, THREADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(statements_that_wait_are_one_commit),
        pooled_test(nothing_of_a_failed_group_has_happened),
        pooled_test(the_second_of_one_key_finds_the_first),
        pooled_test(a_lost_connection_is_said),
        pooled_test(a_key_that_is_held_fails_the_group),
        pooled_test(all_are_told_when_there_is_no_connection),
        pooled_test(whoever_has_patience_no_longer_leads),
        pooled_test(each_gets_its_own_row_of_a_shared_statement),
        pooled_test(a_row_that_fails_fails_the_group),
    };

    return unit_run("store/statement_group", tests);
}
