/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/schema.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_fnmatch.h>
#include <apr_strings.h>
#include <apr_time.h>

#include "store/db/master_key.h"

/* Any number will do as long as nobody else in the database uses it. The open
 * transaction must hold no snapshot, or concurrent index builds wait for it. */
#define TRY_TURN                                                               \
    "BEGIN ISOLATION LEVEL READ COMMITTED;"                                    \
    "SET LOCAL idle_in_transaction_session_timeout = 0;"                       \
    "SELECT pg_try_advisory_xact_lock(7311980412)"
#define TURN_PAUSE 100 /* ms between two tries */
#define PATIENCE                                                               \
    "SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = 0"
#define MARK "-- @concurrently " /* and the name of the index */
#define UNDEFINED_TABLE "42P01" /* SQLSTATEs */
#define NO_PERMISSION "42501"
#define MAX_FILE_SIZE (1024 * 1024)

static const char create_table[] =
    "CREATE TABLE IF NOT EXISTS schema_migration ("
    " version integer PRIMARY KEY,"
    " name text NOT NULL,"
    " applied_at timestamptz NOT NULL DEFAULT now())";

/* --- versions --- */

/* The number at the start of a migration's name, or of a version as text. */
static int number_of(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

/* --- the database's encoding and settings --- */

/* The SQL that puts a setting right, for the settings that a pooler drops. */
static const char right_bytes[] =
    "SELECT format('bytea_output is not hex. Run: ALTER ROLE %I IN DATABASE %I "
    "SET bytea_output = hex', current_user, current_database())"
    " WHERE current_setting('bytea_output') <> 'hex'";

/* Tables of the same owner in a schema that is not searched. Migrating would
 * begin a second, empty set of tables. */
static const char right_schema[] =
    "SELECT format('The tables are in the schema %1$I, but search_path is "
    "%2$s. "
    "Add options=''-c search_path=%1$I'' to the connection string or, behind "
    "PgBouncer, run: ALTER ROLE %3$I IN DATABASE %4$I SET search_path = %1$I',"
    " n.nspname, current_setting('search_path'), current_user,"
    " current_database())"
    " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relname = 'schema_migration' AND c.relkind = 'r'"
    " AND pg_has_role(c.relowner, 'USAGE')"
    " AND to_regclass('schema_migration') IS NULL"
    " ORDER BY n.nspname LIMIT 1";

/* Sets *FAULT to the only value of SQL; no row means no fault. */
static idv_error_t *ask_fault(idv_db_t *db, const char *sql, const char **fault,
                              apr_pool_t *pool)
{
    PGresult *rows = PQexec(idv_db_native(db), sql);
    int is_answered = PQresultStatus(rows) == PGRES_TUPLES_OK;

    if (is_answered && PQntuples(rows) > 0)
        *fault = apr_pstrdup(pool, PQgetvalue(rows, 0, 0));
    PQclear(rows);
    return is_answered
             ? NULL
             : idv_error_unavailable(pool, 2, "the database's settings");
}

/* The two encodings are reported at connection; no query is needed. */
static const char *encoding_fault(idv_db_t *db, apr_pool_t *pool)
{
    static const char needed[] = "UTF8";
    const char *server =
        PQparameterStatus(idv_db_native(db), "server_encoding");
    const char *client =
        PQparameterStatus(idv_db_native(db), "client_encoding");

    if (!server || strcmp(server, needed) != 0)
        return apr_psprintf(
            pool,
            "the database has the encoding %s and needs UTF8. Create another "
            "one with createdb --encoding=UTF8 --template=template0",
            server ? server : "(not told)");
    return client && strcmp(client, needed) == 0
             ? NULL
             : apr_psprintf(pool, "client_encoding is %s and must be UTF8",
                            client ? client : "(not told)");
}

static idv_error_t *settings_fault(idv_db_t *db, const char **fault,
                                   apr_pool_t *pool)
{
    *fault = encoding_fault(db, pool);
    if (!*fault)
        IDV_TRY(ask_fault(db, right_bytes, fault, pool));
    return *fault ? NULL : ask_fault(db, right_schema, fault, pool);
}

/* The version of the connected database; 0 for an empty one. */
static idv_error_t *read_version(idv_db_t *db, int *version, apr_pool_t *pool)
{
    PGresult *rows =
        PQexec(idv_db_native(db), "SELECT max(version) FROM schema_migration");
    const char *state = PQresultErrorField(rows, PG_DIAG_SQLSTATE);
    idv_error_t *error = NULL;

    *version = 0;
    if (PQresultStatus(rows) == PGRES_TUPLES_OK)
        *version = number_of(PQgetvalue(rows, 0, 0));
    else if (!state || strcmp(state, UNDEFINED_TABLE) != 0)
        error = idv_error_unavailable(
            pool, 2, "the schema's version: %s",
            !state ? "connection lost"
            : strcmp(state, NO_PERMISSION) == 0
                ? "the database user may not read the tables. Migrate as this "
                  "user, so that it owns them"
                : state);
    PQclear(rows);
    return error;
}

/* --- migrating --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#define NO_MIGRATIONS                                                          \
    "no migrations in %s; --migrations (VERIFY_MIGRATIONS) names their "       \
    "directory"

static idv_error_t *list_files(const char *directory,
                               apr_array_header_t **names, apr_pool_t *pool)
{
    apr_status_t status = apr_match_glob(
        apr_pstrcat(pool, directory, "/[0-9][0-9][0-9][0-9]_*.sql", NULL),
        names, pool);

    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, NO_MIGRATIONS, directory);
    if ((*names)->nelts == 0)
        return idv_error_internal(pool, NO_MIGRATIONS, directory);
    qsort((*names)->elts, (*names)->nelts, sizeof(char *), by_name);
    for (int i = 1; i < (*names)->nelts; i++) {
        const char *previous = APR_ARRAY_IDX(*names, i - 1, const char *);
        const char *name = APR_ARRAY_IDX(*names, i, const char *);

        if (number_of(previous) == number_of(name))
            return idv_error_internal(pool, "%s and %s have the same number",
                                      previous, name);
    }
    return NULL;
}

static idv_error_t *read_file(const char *path, const char **text,
                              apr_pool_t *pool)
{
    apr_file_t *file;
    apr_finfo_t info;
    char *content;
    apr_status_t status = apr_file_open(&file, path, APR_READ, 0, pool);

    if (status == APR_SUCCESS)
        status = apr_file_info_get(&info, APR_FINFO_SIZE, file);
    if (status == APR_SUCCESS && info.size > MAX_FILE_SIZE)
        status = APR_ENOMEM;
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    content = apr_pcalloc(pool, (apr_size_t)info.size + 1);
    status = apr_file_read_full(file, content, (apr_size_t)info.size, NULL);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    *text = content;
    return NULL;
}

/* The record of NAME; only its end comes from outside. */
static const char *record_of(const char *name, apr_pool_t *pool)
{
    return apr_psprintf(pool,
                        "INSERT INTO schema_migration (version, name)"
                        " VALUES (%d, '%s')",
                        number_of(name), name);
}

static idv_error_t *apply_at_once(idv_db_t *db, const char *name,
                                  const char *text, apr_pool_t *pool)
{
    idv_error_t *error = idv_db_script(
        db,
        apr_psprintf(pool, "BEGIN;\n" PATIENCE ";\n%s;\n%s;\nCOMMIT", text,
                     record_of(name, pool)),
        pool);

    if (!error)
        return NULL;
    idv_db_rollback(db);
    error->detail = apr_pstrcat(
        pool, name, ": ", error->detail,
        idv_db_lock_timed_out(db)
            ? ": another process has locked a table for several seconds. "
              "Nothing was changed. Run the command again"
            : "",
        NULL);
    return error;
}

/* --- one index, while everybody writes --- */

/* The index that a marked migration builds; NULL: it is not marked. */
static const char *marked_index(const char *text, apr_pool_t *pool)
{
    const char *name = text + strlen(MARK);

    if (strncmp(text, MARK, strlen(MARK)) != 0)
        return NULL;
    return apr_pstrmemdup(
        pool, name, strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"));
}

typedef enum {
    INDEX_NONE,
    INDEX_BEING_BUILT,
    INDEX_LEFT, /* nobody finishes it; it costs with each row that is written */
    INDEX_WHOLE
} index_state_t;

/* The server continues to build after its client was killed. */
static idv_error_t *look_at_index(idv_db_t *db, const char *index,
                                  index_state_t *state, apr_pool_t *pool)
{
    PGresult *rows = PQexec(
        idv_db_native(db),
        apr_psprintf(pool,
                     "SELECT CASE WHEN indisvalid THEN %d WHEN EXISTS ("
                     "SELECT 1 FROM pg_stat_progress_create_index"
                     " WHERE datname = current_database()"
                     " AND index_relid = indexrelid) THEN %d ELSE %d END"
                     " FROM pg_index WHERE indexrelid = to_regclass('%s')",
                     INDEX_WHOLE, INDEX_BEING_BUILT, INDEX_LEFT, index));
    int is_read = PQresultStatus(rows) == PGRES_TUPLES_OK;

    *state = is_read && PQntuples(rows) > 0
               ? (index_state_t)number_of(PQgetvalue(rows, 0, 0))
               : INDEX_NONE;
    PQclear(rows);
    return is_read ? NULL
                   : idv_error_unavailable(pool, 2, "whether %s is whole",
                                           index);
}

/* Each of these statements runs alone, outside of a transaction. They wait for
 * earlier transactions, and because nobody waits behind them, they have no time
 * limit. A complete index that was not recorded is not built again: TEXT says
 * IF NOT EXISTS. */
static idv_error_t *build_index(idv_db_t *db, const char *index,
                                const char *text, apr_pool_t *pool)
{
    index_state_t state;

    IDV_TRY(look_at_index(db, index, &state, pool));
    while (state == INDEX_BEING_BUILT) {
        apr_sleep(apr_time_from_msec(TURN_PAUSE));
        IDV_TRY(look_at_index(db, index, &state, pool));
    }
    if (state == INDEX_LEFT)
        IDV_TRY(idv_db_script(
            db, apr_pstrcat(pool, "DROP INDEX CONCURRENTLY ", index, NULL),
            pool));
    IDV_TRY(idv_db_script(db, text, pool));
    IDV_TRY(look_at_index(db, index, &state, pool));
    return state == INDEX_WHOLE
             ? NULL
             : idv_error_internal(pool, "another process was building it");
}

static idv_error_t *apply_concurrently(idv_db_t *db, const char *name,
                                       const char *text, apr_pool_t *pool)
{
    const char *index = marked_index(text, pool);
    idv_error_t *error = build_index(db, index, text, pool);

    if (!error)
        error = idv_db_script(db, record_of(name, pool), pool);
    if (!error)
        return NULL;
    error->detail = apr_psprintf(
        pool,
        "%s: %s: the index %s is incomplete. The service works without it. Run "
        "the command again",
        name, error->detail, index);
    return error;
}

/* --- all --- */

static idv_error_t *apply_file(idv_db_t *db, const char *directory,
                               const char *name, apr_pool_t *pool)
{
    const char *path = apr_pstrcat(pool, directory, "/", name, NULL);
    const char *text = NULL;

    IDV_TRY(read_file(path, &text, pool));
    /* The name was matched against a pattern, but its end is free. */
    if (strchr(name, '\'') || strchr(name, '\\'))
        return idv_error_internal(pool, "%s: unusable file name", path);
    return marked_index(text, pool)
             ? apply_concurrently(db, name, text, pool)
             : apply_at_once(db, name, text, pool);
}

/* Waits until nobody else migrates; the turn ends with the connection. Who
 * waited inside of a statement would have an old snapshot, for which the
 * other's index in turn waits: so it is asked again and again, with nothing
 * held between. */
static idv_error_t *take_turn(idv_db_t *turn, apr_pool_t *pool)
{
    for (;;) {
        PGresult *rows = PQexec(idv_db_native(turn), TRY_TURN);
        int is_answered = PQresultStatus(rows) == PGRES_TUPLES_OK;
        int is_mine = is_answered && *PQgetvalue(rows, 0, 0) == 't';

        PQclear(rows);
        if (!is_answered)
            return idv_error_unavailable(pool, 2, "a turn to migrate");
        if (is_mine)
            return NULL;
        idv_db_rollback(turn);
        apr_sleep(apr_time_from_msec(TURN_PAUSE));
    }
}

idv_error_t *idv_migration_apply(const idv_migration_t *run,
                                 apr_array_header_t **applied, int *version,
                                 apr_pool_t *pool)
{
    apr_array_header_t *names;
    const char *fault;

    *applied = apr_array_make(pool, 4, sizeof(const char *));
    IDV_TRY(list_files(run->directory, &names, pool));
    IDV_TRY(settings_fault(run->db, &fault, pool));
    if (fault)
        return idv_error_internal(pool, "%s", fault);
    IDV_TRY(take_turn(run->turn, pool));
    IDV_TRY(idv_db_script(run->db, create_table, pool));
    IDV_TRY(read_version(run->db, version, pool));
    for (int i = 0; i < names->nelts; i++) {
        const char *name = APR_ARRAY_IDX(names, i, const char *);

        if (number_of(name) <= *version)
            continue;
        IDV_TRY(apply_file(run->db, run->directory, name, pool));
        APR_ARRAY_PUSH(*applied, const char *) = name;
        *version = number_of(name);
    }
    return NULL;
}

/* --- checking --- */

idv_error_t *idv_database_check(idv_db_t *db, const idv_keyring_t *keys,
                                const char **fault, apr_pool_t *pool)
{
    int version;
    const int needed = IDV_SCHEMA_VERSION; /* or a later one */

    IDV_TRY(settings_fault(db, fault, pool));
    if (*fault)
        return NULL;
    IDV_TRY(read_version(db, &version, pool));
    if (version < needed) {
        *fault = apr_psprintf(pool,
                              "the database schema has version %d, this needs "
                              "%d: run verifyctl migrate",
                              version, needed);
        return NULL;
    }
    return keys ? idv_master_key_check(db, keys, fault, pool) : NULL;
}
