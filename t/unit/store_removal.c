/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a removal begins, goes on and ends, on the tests' PostgreSQL. The
 * statements are the test's own; t/store/removal.t has the true ones.
 */
#include "unit/unit.h"

#include "store/transaction/removal.c"

/* Sessions of two organizations in the order of their ids; who stays is said. */
#define TABLE                                                                  \
    "CREATE TEMPORARY TABLE removal_test (organization text, id text,"         \
    " stays boolean, PRIMARY KEY (organization, id))"

const idv_sql_text_t idv_sql_texts[IDV_SQL_COUNT] = {
    [IDV_SQL_RETENTION_FIND_ORGANIZATION_OF_SESSIONS] =
        {"find", 3,
         "SELECT min(organization) FROM removal_test"
         " WHERE organization > $1::text AND id > $2::text AND id < $3::text"
         " HAVING count(*) > 0"},
    [IDV_SQL_RETENTION_REMOVE_SESSIONS] =
        {"remove", 5,
         "WITH page AS MATERIALIZED (SELECT * FROM removal_test"
         "  WHERE organization = $1::text AND id > $2::text AND id < $3::text"
         "    AND $5::bigint > 0 ORDER BY id LIMIT $4::integer),"
         " gone AS (DELETE FROM removal_test t USING page p"
         "  WHERE t.organization = p.organization AND t.id = p.id AND NOT p.stays"
         "  RETURNING t.id)"
         " SELECT (SELECT count(*) FROM gone), max(id), count(*),"
         "        left(min(id) FILTER (WHERE stays), 14) FROM page"},
    [IDV_SQL_CONNECTION_IMPATIENT] =
        {"impatient", 0, "SELECT set_config('lock_timeout', '50ms', true)"},
};

#define CUTOFF ((idv_time_t)1 << 40)

static idv_db_t *connect_database(apr_pool_t *pool)
{
    idv_db_t *db;

    assert_null(idv_db_connect(unit_conninfo(pool), &db, pool));
    return db;
}

static void execute(idv_db_t *db, const char *text, apr_pool_t *pool)
{
    assert_null(idv_db_script(db, text, pool));
}

/* Runs a removal from FLOOR to its end; how many went. */
static int run(idv_db_t *db, idv_removal_t *removal, const char *floor,
               apr_pool_t *pool)
{
    int sum = 0;

    idv_removal_begin(removal, IDV_REMOVAL_SESSION, CUTOFF, floor);
    for (int turn = 0; !removal->is_over; turn++) {
        apr_int64_t removed;

        assert_true(turn < 100);
        assert_null(idv_removal_advance(db, removal, 2, &removed, pool));
        sum += (int)removed;
    }
    return sum;
}

static void the_next_begins_where_one_has_left_something(void **state)
{
    idv_db_t *db = connect_database(*state);
    const char *bound = idv_id_bound(IDV_ID_SESSION, CUTOFF, *state);
    idv_removal_t removal;

    execute(db,
            TABLE "; INSERT INTO removal_test SELECT o, 'vks_000000000' || i"
                  " || 'x', o = 'b' AND i IN (5, 7) OR o = 'a' AND i = 6"
                  " FROM generate_series(1, 9) i, (VALUES ('a'), ('b')) t (o)",
            *state);
    assert_int_equal(run(db, &removal, "", *state), 15);
    assert_string_equal(removal.left, "vks_0000000005");
    /* What stands below is not looked for, nor found. */
    execute(db,
            "UPDATE removal_test SET stays = false;"
            " INSERT INTO removal_test VALUES ('b', 'vks_0000000002x', false)",
            *state);
    assert_int_equal(
        run(db, &removal, apr_pstrdup(*state, removal.left), *state), 3);
    assert_string_equal(removal.left, bound);
    assert_int_equal(run(db, &removal, "", *state), 1);
}

static void what_cannot_be_looked_for_ends_it(void **state)
{
    idv_db_t *db = connect_database(*state);
    idv_removal_t removal;
    apr_int64_t removed;

    idv_removal_begin(&removal, IDV_REMOVAL_SESSION, CUTOFF, "vks_0000000003");
    assert_non_null(idv_removal_advance(db, &removal, 2, &removed, *state));
    idv_removal_skip(&removal);
    assert_true(removal.is_over);
    assert_string_equal(removal.left, "vks_0000000003");
}

static void a_page_that_fails_is_left(void **state)
{
    idv_db_t *db = connect_database(*state);
    idv_removal_t removal;
    apr_int64_t removed;

    execute(db,
            TABLE "; INSERT INTO removal_test SELECT 'a', 'vks_000000000' || i"
                  " || 'x', false FROM generate_series(1, 9) i",
            *state);
    idv_removal_begin(&removal, IDV_REMOVAL_SESSION, CUTOFF, "");
    assert_null(idv_removal_advance(db, &removal, 2, &removed, *state));
    idv_removal_skip(&removal);
    assert_false(removal.is_over);
    assert_null(idv_removal_advance(db, &removal, 2, &removed, *state));
    assert_true(removal.is_over);
    assert_string_equal(removal.left, "vks_0000000002x");
}

/* Somebody holds a row that would go. */
static void a_row_that_is_held_is_waited_for_no_longer(void **state)
{
    idv_db_t *db = connect_database(*state), *other = connect_database(*state);
    idv_removal_t removal;

    execute(db,
            "CREATE TABLE IF NOT EXISTS removal_test (organization text,"
            " id text, stays boolean); TRUNCATE removal_test;"
            " INSERT INTO removal_test SELECT o, 'vks_000000000' || i || 'x',"
            " false FROM generate_series(1, 9) i,"
            " (VALUES ('a'), ('b')) t (o)",
            *state);
    execute(db, "SET statement_timeout = '5s'", *state);
    execute(other, "BEGIN", *state);
    execute(other,
            "SELECT FROM removal_test WHERE organization = 'a'"
            " AND id = 'vks_0000000004x' FOR UPDATE",
            *state);
    assert_int_equal(run(db, &removal, "", *state), 2 + 9);
    assert_string_equal(removal.left, "vks_0000000002x");
    execute(other, "ROLLBACK", *state);
    assert_int_equal(
        run(db, &removal, apr_pstrdup(*state, removal.left), *state), 7);
    execute(db, "DROP TABLE removal_test", *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(the_next_begins_where_one_has_left_something),
        pooled_test(what_cannot_be_looked_for_ends_it),
        pooled_test(a_page_that_fails_is_left),
        pooled_test(a_row_that_is_held_is_waited_for_no_longer),
    };

    return unit_run("store/removal", tests);
}
