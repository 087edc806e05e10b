/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/master_key.h"

#include <string.h>

#include <apr_strings.h>

#define KEYS_MAX 4 /* columns that identify a row */
#define UNREADABLE_MAX 100
#define TRIES 5 /* at a batch that others block */
#define PARAM "VERSION"

static const struct {
    const char *name;
    const char *table;
    const char *column;
    idv_sealing_t sealing;
} places[IDV_SEALED_COUNT] = {
#define X(name, value, table, column, sealing)                                 \
    [IDV_SEALED_##name] = {#value, #table, #column, IDV_SEALING_##sealing},
    IDV_SEALED_PLACES(X)
#undef X
};

/* How the values of a place are read and written. */
static const struct {
    idv_sql_t list, save;
    int keys;        /* columns that identify a row; the id is the last ... */
    int is_id_whole; /* ... or all of them */
} statements[IDV_SEALED_COUNT] = {
    [IDV_SEALED_DATA_KEY] = {IDV_SQL_SEALED_LIST_DATA_KEY,
                             IDV_SQL_SEALED_SAVE_DATA_KEY, 2, 0},
    [IDV_SEALED_MAIL_KEY] = {IDV_SQL_SEALED_LIST_MAIL_KEY,
                             IDV_SQL_SEALED_SAVE_MAIL_KEY, 3, 0},
    [IDV_SEALED_WEBHOOK_SECRET] = {IDV_SQL_SEALED_LIST_WEBHOOK_SECRET,
                                   IDV_SQL_SEALED_SAVE_WEBHOOK_SECRET, 2, 0},
    [IDV_SEALED_FORMER_SECRET] = {IDV_SQL_SEALED_LIST_FORMER_SECRET,
                                  IDV_SQL_SEALED_SAVE_FORMER_SECRET, 2, 0},
    [IDV_SEALED_READER_KEY] = {IDV_SQL_SEALED_LIST_READER_KEY,
                               IDV_SQL_SEALED_SAVE_READER_KEY, 2, 0},
    [IDV_SEALED_OIDC_KEY] = {IDV_SQL_SEALED_LIST_OIDC_KEY,
                             IDV_SQL_SEALED_SAVE_OIDC_KEY, 1, 0},
    [IDV_SEALED_RESPONSE] = {IDV_SQL_SEALED_LIST_RESPONSE,
                             IDV_SQL_SEALED_SAVE_RESPONSE, 4, 1},
};

idv_seal_place_t idv_sealed_place(idv_sealed_t place, const char *id,
                                  apr_pool_t *pool)
{
    return (idv_seal_place_t){
        places[place].sealing,
        apr_pstrcat(pool, places[place].name, ":", id, NULL)};
}

const char *idv_sealed_name(idv_sealed_t place)
{
    return places[place].name;
}

/* --- checking --- */

/* The fault of KEYS for the version in ROW, or NULL. */
static const char *version_fault(const idv_db_result_t *rows, int row,
                                 const idv_keyring_t *keys, apr_pool_t *pool)
{
    int number = (int)idv_db_get_int(rows, row, 0);
    const idv_key_version_t *version = idv_keyring_version(keys, number);
    idv_bytes_t expected = idv_db_get_bytes(rows, row, 1, pool);

    if (!idv_db_is_null(rows, row, 3)) /* dropped */
        return NULL;
    if (!version)
        return apr_psprintf(pool,
                            "the master key file lacks version %d, which this "
                            "database uses: see VerifyMasterKeyFile",
                            number);
    return expected.length == IDV_KEY_SIZE
                && idv_equal_constant_time(idv_key_fingerprint(version).data,
                                           expected.data, IDV_KEY_SIZE)
             ? NULL
             : "this database was used with a different master key: see "
               "VerifyMasterKeyFile";
}

static idv_error_t *remember(idv_db_t *db, const idv_key_version_t *version,
                             apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_MASTER_KEY_REMEMBER,
        IDV_DB_PARAMS(idv_db_int(version->version),
                      idv_db_bytes(idv_key_fingerprint(version))),
        NULL, pool);
}

idv_error_t *idv_master_key_check(idv_db_t *db, const idv_keyring_t *keys,
                                  const char **fault, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    int count;

    *fault = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_MASTER_KEY_LIST, IDV_DB_NO_PARAMS, &rows,
                         pool));
    if (idv_db_rows(rows) == 0) {
        IDV_TRY(remember(db, idv_keyring_newest(keys), pool));
        IDV_TRY(idv_db_query(db, IDV_SQL_MASTER_KEY_LIST, IDV_DB_NO_PARAMS,
                             &rows, pool));
    }
    count = idv_db_rows(rows);
    for (int row = 0; row < count && !*fault; row++)
        *fault = version_fault(rows, row, keys, pool);
    if (!*fault && count)
        idv_keyring_seal_by(keys, (int)idv_db_get_int(rows, count - 1, 0));
    return NULL;
}

/* --- versions --- */

static void count_of(const idv_db_result_t *counts, idv_master_key_t *version)
{
    for (int row = 0; row < idv_db_rows(counts); row++)
        for (int place = 0; place < IDV_SEALED_COUNT; place++)
            if (idv_db_get_int(counts, row, 1) == version->version
                && strcmp(idv_db_get_text(counts, row, 0), places[place].table)
                       == 0)
                version->sealed[place] = idv_db_get_int(counts, row, 2);
}

idv_error_t *idv_master_key_list(idv_db_t *db, apr_array_header_t **versions,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows, *counts;

    IDV_TRY(idv_db_query(db, IDV_SQL_MASTER_KEY_LIST, IDV_DB_NO_PARAMS, &rows,
                         pool));
    IDV_TRY(idv_db_query(db, IDV_SQL_SEALED_COUNT, IDV_DB_NO_PARAMS, &counts,
                         pool));
    *versions = apr_array_make(pool, 4, sizeof(idv_master_key_t));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_master_key_t *version = apr_array_push(*versions);

        memset(version, 0, sizeof(*version));
        version->version = (int)idv_db_get_int(rows, row, 0);
        version->since = idv_db_get_int(rows, row, 2);
        version->dropped_at =
            idv_db_is_null(rows, row, 3) ? 0 : idv_db_get_int(rows, row, 3);
        count_of(counts, version);
    }
    return NULL;
}

idv_error_t *idv_master_key_seals(idv_db_t *db,
                                  const idv_key_version_t *version, int *seals,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;
    int count;

    IDV_TRY(idv_db_query(db, IDV_SQL_MASTER_KEY_LIST, IDV_DB_NO_PARAMS, &rows,
                         pool));
    count = idv_db_rows(rows);
    *seals = count > 0
          && idv_db_get_int(rows, count - 1, 0) >= version->version;
    return NULL;
}

idv_error_t *idv_master_key_advance(idv_db_t *db, const idv_keyring_t *keys,
                                    apr_pool_t *pool)
{
    const idv_key_version_t *newest = idv_keyring_newest(keys);
    const char *fault;

    IDV_TRY(idv_db_execute(db, IDV_SQL_MASTER_KEY_LOCK, IDV_DB_NO_PARAMS, NULL,
                           pool));
    IDV_TRY(remember(db, newest, pool));
    IDV_TRY(idv_master_key_check(db, keys, &fault, pool));
    return fault ? idv_error_internal(pool, "%s", fault) : NULL;
}

/* --- sealing again --- */

/* A run through the values of one place, in the order of their rows. */
typedef struct {
    idv_db_t *db;
    const idv_keyring_t *keys;
    int batch;
    idv_sealed_t place;
    const char *after[KEYS_MAX]; /* the row that the run is behind */
    idv_rewrap_t *done;
    apr_pool_t *result_pool;
} run_t;

static const char *id_of(const run_t *run, const idv_db_result_t *rows, int row,
                         apr_pool_t *pool)
{
    int keys = statements[run->place].keys;
    int first = statements[run->place].is_id_whole ? 0 : keys - 1;
    const char *id = idv_db_get_text(rows, row, first);

    for (int i = first + 1; i < keys; i++)
        id = apr_pstrcat(pool, id, ":", idv_db_get_text(rows, row, i), NULL);
    return id;
}

static void note_unreadable(const run_t *run, const idv_db_result_t *rows,
                            int row)
{
    apr_array_header_t *list = run->done->unreadable;
    int last = statements[run->place].keys - 1;

    if (list->nelts < UNREADABLE_MAX)
        APR_ARRAY_PUSH(list, const char *) =
            apr_pstrcat(run->result_pool, places[run->place].table, " ",
                        statements[run->place].is_id_whole
                            ? idv_db_get_text(rows, row, 0)
                            : idv_db_get_text(rows, row, last),
                        NULL);
}

/* The value in ROW, resealed, as a statement that saves it; *ITEM is NULL if it
 * does not open. */
static idv_error_t *reseal(const run_t *run, const idv_db_result_t *rows,
                           int row, idv_db_batch_item_t **item,
                           apr_pool_t *pool)
{
    int keys = statements[run->place].keys;
    idv_seal_place_t place =
        idv_sealed_place(run->place, id_of(run, rows, row, pool), pool);
    idv_bytes_t was = idv_db_get_bytes(rows, row, keys, pool), plain, sealed;
    idv_db_param_t *params = apr_palloc(pool, sizeof(*params) * (KEYS_MAX + 2));

    *item = NULL;
    if (idv_keyring_open(run->keys, place, was, &plain, pool)) {
        note_unreadable(run, rows, row);
        return NULL;
    }
    IDV_TRY(idv_keyring_seal(run->keys, place, plain, &sealed, pool));
    for (int i = 0; i < keys; i++)
        params[i] = idv_db_text(idv_db_get_text(rows, row, i));
    params[keys] = idv_db_bytes(was);
    params[keys + 1] = idv_db_bytes(sealed);
    *item = apr_pcalloc(pool, sizeof(**item));
    **item = (idv_db_batch_item_t){
        statements[run->place].save, {params, keys + 2}, NULL};
    return NULL;
}

/* Seals the values in ROWS again; *SAVED is zero when the transaction failed,
 * because of others who have the rows. */
static idv_error_t *save(const run_t *run, const idv_db_result_t *rows,
                         int *saved, apr_pool_t *pool)
{
    idv_db_batch_item_t **items =
        apr_palloc(pool, sizeof(*items) * (apr_size_t)idv_db_rows(rows));
    int count = 0, changed = 0;
    idv_db_batch_outcome_t outcome = IDV_DB_BATCH_COMMITTED;

    for (int row = 0; row < idv_db_rows(rows); row++) {
        IDV_TRY(reseal(run, rows, row, &items[count], pool));
        count += items[count] != NULL;
    }
    if (count)
        outcome = idv_db_batch(run->db, items, count);
    for (int i = 0; i < count; i++) {
        const PGresult *result = items[i]->result;

        changed += result && strcmp(PQcmdTuples((PGresult *)result), "1") == 0;
        (void)idv_db_batch_result(items[i], pool);
    }
    *saved = outcome == IDV_DB_BATCH_COMMITTED;
    if (outcome == IDV_DB_BATCH_UNKNOWN)
        return idv_error_unavailable(pool, 2, "connection lost");
    if (*saved)
        run->done->sealed[run->place] += changed;
    return NULL;
}

static void move_behind(run_t *run, const idv_db_result_t *rows)
{
    int last = idv_db_rows(rows) - 1;

    for (int i = 0; i < statements[run->place].keys; i++)
        run->after[i] =
            apr_pstrdup(run->result_pool, idv_db_get_text(rows, last, i));
}

/* One batch; *MORE is zero behind the last one. */
static idv_error_t *run_batch(run_t *run, int *more, apr_pool_t *pool)
{
    int keys = statements[run->place].keys, saved = 0;
    idv_db_param_t params[KEYS_MAX + 2];
    idv_db_result_t *rows;

    for (int i = 0; i < keys; i++)
        params[i] = idv_db_text(run->after[i]);
    params[keys] = idv_db_int(idv_keyring_newest(run->keys)->version);
    params[keys + 1] = idv_db_int(run->batch);
    for (int tries = 0; !saved; tries++) {
        if (tries == TRIES)
            return idv_error_internal(pool, "%s: a batch failed %d times",
                                      places[run->place].table, TRIES);
        IDV_TRY(idv_db_query(run->db, statements[run->place].list,
                             (idv_db_params_t){params, keys + 2}, &rows, pool));
        if (idv_db_rows(rows) == 0) {
            *more = 0;
            return NULL;
        }
        IDV_TRY(save(run, rows, &saved, pool));
    }
    move_behind(run, rows);
    *more = idv_db_rows(rows) == run->batch;
    return NULL;
}

static idv_error_t *run_place(run_t *run, apr_pool_t *pool)
{
    apr_pool_t *scratch;
    idv_error_t *error = NULL;
    int more = 1;

    for (int i = 0; i < KEYS_MAX; i++)
        run->after[i] = "";
    apr_pool_create(&scratch, pool);
    while (more && !error) {
        error = run_batch(run, &more, scratch);
        if (!error)
            apr_pool_clear(scratch);
    }
    return error;
}

static apr_int64_t total_of(const idv_rewrap_t *done)
{
    apr_int64_t total = 0;

    for (int place = 0; place < IDV_SEALED_COUNT; place++)
        total += done->sealed[place];
    return total;
}

idv_error_t *idv_master_key_rewrap(idv_db_t *db, const idv_keyring_t *keys,
                                   int batch, idv_rewrap_t *done,
                                   apr_pool_t *pool)
{
    run_t run = {db, keys, batch, 0, {0}, done, pool};
    apr_int64_t before;

    memset(done, 0, sizeof(*done));
    /* Processes that had not asked yet seal by another version behind the run;
     * so it goes round until there is nothing to do. */
    do {
        before = total_of(done);
        done->unreadable = apr_array_make(pool, 1, sizeof(const char *));
        for (int place = 0; place < IDV_SEALED_COUNT; place++) {
            run.place = (idv_sealed_t)place;
            IDV_TRY(run_place(&run, pool));
        }
    } while (total_of(done) != before);
    return NULL;
}

/* --- dropping --- */

/* The statements after which nobody seals anything until the transaction ends. */
static const char *locking(apr_pool_t *pool)
{
    const char *text = "SET LOCAL lock_timeout = '5s';";

    for (int place = 0; place < IDV_SEALED_COUNT; place++)
        text = apr_psprintf(pool, "%s LOCK TABLE %s IN ACCESS EXCLUSIVE MODE;",
                            text, places[place].table);
    return text;
}

/* The statements by which no table holds a seal of VERSION or an older one. */
static const char *refusing(int version, apr_pool_t *pool)
{
    const char *text = "";

    for (int place = 0; place < IDV_SEALED_COUNT; place++)
        text = apr_psprintf(
            pool,
            "%s ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s_key_version,"
            " ADD CONSTRAINT %s_key_version"
            " CHECK (get_byte(%s, 0) > %d);",
            text, places[place].table, places[place].table, places[place].table,
            places[place].column, version);
    return text;
}

static idv_error_t *check_droppable(idv_db_t *db, int version, apr_pool_t *pool)
{
    apr_array_header_t *versions;
    const idv_master_key_t *oldest = NULL, *newest = NULL;
    apr_int64_t sealed = 0;

    IDV_TRY(idv_master_key_list(db, &versions, pool));
    for (int i = 0; i < versions->nelts; i++) {
        const idv_master_key_t *each =
            &APR_ARRAY_IDX(versions, i, idv_master_key_t);

        if (!oldest && !each->dropped_at)
            oldest = each;
        newest = each;
    }
    if (!oldest || oldest == newest || oldest->version != version)
        return idv_error_param(pool, PARAM,
                               "Only the oldest version can be dropped, and "
                               "only if a newer one seals.");
    for (int place = 0; place < IDV_SEALED_COUNT; place++)
        sealed += oldest->sealed[place];
    return sealed ? idv_error_param(pool, PARAM,
                                    "It still seals %" APR_INT64_T_FMT
                                    " values: see master-key list.",
                                    sealed)
                  : NULL;
}

static idv_error_t *drop(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    int version = *(const int *)baton;

    IDV_TRY(idv_db_execute(db, IDV_SQL_MASTER_KEY_LOCK, IDV_DB_NO_PARAMS, NULL,
                           pool));
    /* Looked at twice, so that nobody waits for a drop that is refused anyway;
     * what was on its way at the first look is there at the second. */
    IDV_TRY(check_droppable(db, version, pool));
    IDV_TRY(idv_db_script(db, locking(pool), pool));
    IDV_TRY(check_droppable(db, version, pool));
    IDV_TRY(idv_db_script(db, refusing(version, pool), pool));
    return idv_db_execute(
        db, IDV_SQL_MASTER_KEY_DROP,
        IDV_DB_PARAMS(idv_db_int(version), idv_db_int(idv_time_now())), NULL,
        pool);
}

idv_error_t *idv_master_key_drop(idv_db_t *db, int version, apr_pool_t *pool)
{
    return idv_db_transaction(db, drop, &version, pool);
}
