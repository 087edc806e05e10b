/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that a statement takes and a row gives, there and back through the
 * tests' PostgreSQL; scripts/test starts one for the programs named store_*.
 */
#include "unit/unit.h"

#include <stdio.h>

#include "store/db/db.c"

/* A connection of its own in the test's pool; skips without a server. */
static idv_db_t *connect_to_server(apr_pool_t *pool)
{
    idv_db_t *db;

    assert_null(idv_db_connect(unit_conninfo(pool), &db, pool));
    return db;
}

/* The one row of TEXT, which is no embedded statement. */
static idv_db_result_t *select_row(idv_db_t *db, const char *text,
                                   idv_db_params_t params, apr_pool_t *pool)
{
    idv_db_result_t *result = apr_pcalloc(pool, sizeof(*result));
    native_params_t native;

    fill_native(&native, params);
    result->result =
        PQexecParams(db->connection, text, params.count, NULL, native.values,
                     native.lengths, native.formats, 0);
    assert_null(keep_result(db, result->result, "test", pool));
    assert_int_equal(idv_db_rows(result), 1);
    return result;
}

static const char *const difficult[] = {
    "plain", "", " ", "NULL", "null", "\"", "\\", "\\\\\"\"", "a,b", "{a}",
    "{", "}", "{}", "'", "''", "$1", "\t\n\r", "\\x41", "\\n", "trailing\\",
    "j\xc3\xb6rg \xf0\x9f\x98\x80", "  around  ", "a\"b\\c,d{e}f",
};
#define DIFFICULT_COUNT ((int)(sizeof(difficult) / sizeof(*difficult)))

static void arrays_of_difficult_texts_come_back_as_they_were(void **state)
{
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);
    idv_db_result_t *row = select_row(
        db,
        "SELECT a, cardinality(a), array_position(a, NULL) IS NULL, a[8]"
        "  FROM (SELECT $1::text[]) AS t (a)",
        IDV_DB_PARAMS(idv_db_texts(difficult, DIFFICULT_COUNT, pool)), pool);
    const char *const *texts = idv_db_get_texts(row, 0, 0, pool);

    for (int i = 0; i < DIFFICULT_COUNT; i++) {
        assert_non_null(texts[i]);
        assert_string_equal(texts[i], difficult[i]);
    }
    assert_null(texts[DIFFICULT_COUNT]);
    assert_int_equal(idv_db_get_int(row, 0, 1), DIFFICULT_COUNT);
    assert_true(idv_db_get_bool(row, 0, 2));
    assert_string_equal(idv_db_get_text(row, 0, 3), difficult[7]);
}

static void empty_arrays_and_null_are_empty(void **state)
{
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);
    idv_db_result_t *row = select_row(
        db, "SELECT $1::text[], NULL::text[], cardinality($1::text[]), $2::text",
        IDV_DB_PARAMS(idv_db_texts(NULL, 0, pool), idv_db_text(NULL)), pool);

    assert_null(idv_db_get_texts(row, 0, 0, pool)[0]);
    assert_null(idv_db_get_texts(row, 0, 1, pool)[0]);
    assert_int_equal(idv_db_get_int(row, 0, 2), 0);
    assert_false(idv_db_is_null(row, 0, 0));
    assert_true(idv_db_is_null(row, 0, 1));
    assert_null(idv_db_get_text(row, 0, 3));
}

static void lists_of_texts_and_numbers_come_back(void **state)
{
    static const char *const texts[] = {"a", "b,c", NULL};
    static const apr_int64_t numbers[] = {INT64_MIN, -1, INT64_MAX};
    apr_pool_t *pool = *state;
    idv_db_result_t *row =
        select_row(connect_to_server(pool),
                   "SELECT ($1::text[])[2], cardinality($1::text[]),"
                   "       ($2::bigint[])[1], ($2::bigint[])[3], "
                   "cardinality($2::bigint[]),"
                   "       cardinality($3::bigint[])",
                   IDV_DB_PARAMS(idv_db_text_list(texts, pool),
                                 idv_db_ints(numbers, 3, pool),
                                 idv_db_ints(NULL, 0, pool)),
                   pool);

    assert_string_equal(idv_db_get_text(row, 0, 0), "b,c");
    assert_int_equal(idv_db_get_int(row, 0, 1), 2);
    assert_true(idv_db_get_int(row, 0, 2) == INT64_MIN);
    assert_true(idv_db_get_int(row, 0, 3) == INT64_MAX);
    assert_int_equal(idv_db_get_int(row, 0, 4), 3);
    assert_int_equal(idv_db_get_int(row, 0, 5), 0);
}

static void lists_of_methods_come_back_or_are_refused(void **state)
{
    static const idv_method_list_t list = {
        2, {IDV_METHOD_IP_ANALYSIS, IDV_METHOD_MDL}};
    apr_pool_t *pool = *state;
    idv_method_list_t read = {0};
    idv_db_result_t *row = select_row(
        connect_to_server(pool), "SELECT $1::text[], NULL::text[], '{mdl,new}'",
        IDV_DB_PARAMS(idv_db_methods(&list, pool)), pool);

    assert_null(idv_db_get_methods(row, 0, 0, &read, pool));
    assert_int_equal(read.count, 2);
    assert_int_equal(read.items[0], IDV_METHOD_IP_ANALYSIS);
    assert_int_equal(read.items[1], IDV_METHOD_MDL);
    assert_null(idv_db_get_methods(row, 0, 1, &read, pool));
    assert_int_equal(read.count, 0);
    assert_int_equal(idv_db_get_methods(row, 0, 2, &read, pool)->code,
                     IDV_E_INTERNAL);
}

static void numbers_times_and_truth_come_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);
    idv_db_result_t *row = select_row(
        db,
        "SELECT $1::bigint, $2::bigint, $3::bigint, $4::boolean, $5::boolean,"
        " $6::bigint",
        IDV_DB_PARAMS(idv_db_int(APR_INT64_MAX), idv_db_int(APR_INT64_MIN),
                      idv_db_time(0), idv_db_bool(2), idv_db_bool(0),
                      idv_db_time(-1)),
        pool);

    assert_true(idv_db_get_int(row, 0, 0) == APR_INT64_MAX);
    assert_true(idv_db_get_int(row, 0, 1) == APR_INT64_MIN);
    assert_true(idv_db_is_null(row, 0, 2));
    assert_true(idv_db_get_bool(row, 0, 3));
    assert_false(idv_db_get_bool(row, 0, 4));
    assert_true(idv_db_get_int(row, 0, 5) == -1);
    assert_int_equal(idv_db_get_int(row, 0, 2), 0);
}

static void bytes_and_json_come_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);
    const char *text = "{\"a\":[\"\\\"\\\\\",null,1.5]}";
    unsigned char all[256];
    json_t *json;
    idv_bytes_t bytes;
    idv_db_result_t *row;

    for (int i = 0; i < 256; i++)
        all[i] = (unsigned char)i;
    assert_null(idv_json_parse(text, strlen(text), &json, pool));
    row = select_row(
        db, "SELECT $1::bytea, $2::bytea, $3::bytea, $4::json, $5::json",
        IDV_DB_PARAMS(idv_db_bytes((idv_bytes_t){all, sizeof(all)}),
                      idv_db_bytes((idv_bytes_t){all, 0}),
                      idv_db_bytes((idv_bytes_t){NULL, 0}),
                      idv_db_json(json, pool), idv_db_json(NULL, pool)),
        pool);
    bytes = idv_db_get_bytes(row, 0, 0, pool);
    assert_int_equal(bytes.length, sizeof(all));
    assert_memory_equal(bytes.data, all, sizeof(all));
    assert_int_equal(idv_db_get_bytes(row, 0, 1, pool).length, 0);
    assert_false(idv_db_is_null(row, 0, 1));
    assert_null(idv_db_get_bytes(row, 0, 2, pool).data);
    assert_true(json_equal(idv_db_get_json(row, 0, 3, pool), json));
    assert_null(idv_db_get_json(row, 0, 4, pool));
}

/* An escaped bytea is refused before anybody reads it as no bytes. Texts that
 * begin otherwise than "\x" are none of that matter. */
static void bytes_in_another_form_are_an_error(void **state)
{
    static const char *const refused[] = {
        "SELECT 'abc'::bytea", "SELECT ''::bytea",
        "SELECT NULL::bytea, 1, '\\x41'::bytea"};
    static const char *const kept[] = {"SELECT NULL::bytea", "SELECT 'abc'",
                                       "SELECT ''::bytea WHERE false"};
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);

    assert_null(idv_db_script(db, "SET bytea_output = escape", pool));
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        idv_error_t *error = idv_db_script(db, refused[i], pool);

        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_INTERNAL);
        assert_non_null(strstr(error->detail, "bytea_output"));
    }
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        assert_null(idv_db_script(db, kept[i], pool));
}

static void a_connection_knows_whether_it_may_write(void **state)
{
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);

    assert_true(idv_db_takes_changes(db));
    assert_null(
        idv_db_script(db, "SET default_transaction_read_only = on", pool));
    assert_false(idv_db_takes_changes(db));
    assert_true(idv_db_answers(db));
}

/* --- the number of parameters --- */

static void refuses(idv_db_t *db, idv_sql_t statement, idv_db_params_t params,
                    apr_pool_t *pool)
{
    idv_db_batch_item_t item = {statement, params, NULL};
    idv_db_batch_item_t *items[] = {&item};
    idv_db_result_t *result;

    assert_int_equal(idv_db_query(db, statement, params, &result, pool)->code,
                     IDV_E_INTERNAL);
    assert_int_equal(
        idv_db_query_planned(db, statement, params, &result, pool)->code,
        IDV_E_INTERNAL);
    assert_int_equal(idv_db_send(db, statement, params, pool)->code,
                     IDV_E_INTERNAL);
    assert_int_equal(idv_db_batch(db, items, 1), IDV_DB_BATCH_FAILED);
    assert_false(db->state->prepared[statement]);
}

static void every_statement_refuses_one_parameter_more_or_less(void **state)
{
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);
    idv_db_param_t params[IDV_DB_PARAMS_MAX + 1] = {0};

    for (int i = 0; i < IDV_SQL_COUNT; i++) {
        int count = idv_sql_texts[i].parameters;

        assert_in_range(count, 0, IDV_DB_PARAMS_MAX);
        refuses(db, (idv_sql_t)i, (idv_db_params_t){params, count + 1}, pool);
        if (count)
            refuses(db, (idv_sql_t)i, (idv_db_params_t){params, count - 1},
                    pool);
    }
    assert_true(idv_db_answers(db));
}

static void a_guard_with_too_few_parameters_lets_nothing_pass(void **state)
{
    /* in a round trip of its own, and in one with the statement */
    static const struct {
        idv_sql_t statement;
        int count;
    } statements[] = {{IDV_SQL_MASTER_KEY_REMEMBER, 2},
                      {IDV_SQL_API_KEY_LIST, 1}};
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);
    idv_db_guard_t guard = {.statement = IDV_SQL_CONNECTION_IMPATIENT,
                            .params = {NULL, 1}};
    idv_db_result_t *result;

    idv_db_set_guard(db, &guard);
    for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
        const idv_db_param_t params[] = {idv_db_null(), idv_db_null()};

        assert_int_equal(
            idv_db_query(db, statements[i].statement,
                         (idv_db_params_t){params, statements[i].count},
                         &result, pool)
                ->code,
            IDV_E_INTERNAL);
        assert_false(guard.passed);
        assert_true(idv_db_answers(db));
    }
}

/* --- transactions --- */

typedef struct {
    int runs;
    int failures; /* runs that end with the state below */
    const char *sqlstate;
} work_t;

static idv_error_t *fail_at_first(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    work_t *work = baton;

    if (work->runs++ >= work->failures)
        return NULL;
    return idv_db_script(
        db, apr_psprintf(pool,
                         "DO $$BEGIN RAISE EXCEPTION 'test' USING ERRCODE ="
                         " '%s'; END$$", work->sqlstate), pool);
}

static void only_deadlocks_and_the_like_run_again(void **state)
{
    static const struct {
        const char *sqlstate;
        int failures, runs;
        int succeeds;
    } cases[] = {
        {"40001", 2, 3, 1}, {"40P01", 1, 2, 1}, {"40001", 3, 3, 0},
        {"23505", 1, 1, 0}, {"55P03", 1, 1, 0},
    };
    apr_pool_t *pool = *state;
    idv_db_t *db = connect_to_server(pool);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        work_t work = {0, cases[i].failures, cases[i].sqlstate};
        idv_error_t *error =
            idv_db_transaction(db, fail_at_first, &work, pool);

        assert_int_equal(error == NULL, cases[i].succeeds);
        assert_int_equal(work.runs, cases[i].runs);
        assert_int_equal(PQtransactionStatus(db->connection), PQTRANS_IDLE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(arrays_of_difficult_texts_come_back_as_they_were),
        pooled_test(empty_arrays_and_null_are_empty),
        pooled_test(lists_of_texts_and_numbers_come_back),
        pooled_test(lists_of_methods_come_back_or_are_refused),
        pooled_test(numbers_times_and_truth_come_back),
        pooled_test(bytes_and_json_come_back),
        pooled_test(bytes_in_another_form_are_an_error),
        pooled_test(a_connection_knows_whether_it_may_write),
        pooled_test(every_statement_refuses_one_parameter_more_or_less),
        pooled_test(a_guard_with_too_few_parameters_lets_nothing_pass),
        pooled_test(only_deadlocks_and_the_like_run_again),
    };

    return unit_run("store/db", tests);
}
