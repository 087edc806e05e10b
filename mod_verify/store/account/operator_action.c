/* SPDX-License-Identifier: Apache-2.0 */
#include "store/account/operator_action.h"

#include <string.h>

#include <apr_strings.h>

#include "core/crypto.h"
#include "core/json_writer.h"

#define EXPECTED_LENGTH 600 /* of an entry */
#define BATCH 500           /* entries or chains read at once */
#define HASH_DIGITS ((apr_size_t)(2 * IDV_DIGEST_SIZE))

static const char *const actor_types[] = {
    [IDV_ACTOR_OPERATOR] = "operator",
    [IDV_ACTOR_API_KEY] = "api_key",
    [IDV_ACTOR_VERIFYCTL] = "verifyctl",
};

/* --- appending --- */

/* Omits a member that does not apply, because entries are kept forever. */
static void put_given(idv_json_writer_t *entry, const char *key,
                      const char *text)
{
    if (text)
        idv_json_put_text(entry, key, text);
}

static const char *entry_text(const idv_operator_action_t *action,
                              const char *id, apr_pool_t *pool)
{
    idv_json_writer_t entry;

    idv_json_writer_init(&entry, EXPECTED_LENGTH, pool);
    idv_json_open_object(&entry, NULL);
    idv_json_put_text(&entry, "id", id);
    idv_json_put_text(&entry, "object", "operator_action");
    idv_json_put_text(&entry, "organization", action->organization_id);
    idv_json_put_text(&entry, "action", action->action);
    put_given(&entry, "subject", action->object_id);
    idv_json_put_text(&entry, "actor_type", actor_types[action->actor_type]);
    idv_json_put_text(&entry, "actor", action->actor);
    put_given(&entry, "authentication", action->authentication);
    put_given(&entry, "role", action->role);
    put_given(&entry, "rule", action->rule);
    put_given(&entry, "address", action->address);
    put_given(&entry, "request", action->request_id);
    put_given(&entry, "reason", action->reason);
    if (action->details)
        idv_json_put_value(&entry, "details", action->details);
    idv_json_put_seconds(&entry, "created", action->created);
    idv_json_close_object(&entry);
    return idv_json_writer_text(&entry, NULL);
}

idv_error_t *idv_operator_action_append(idv_db_t *db,
                                        const idv_operator_action_t *action,
                                        apr_pool_t *pool)
{
    const char *id = idv_id_new(IDV_ID_OPERATOR_ACTION, action->created, pool);
    apr_int64_t appended;

    IDV_TRY(idv_db_execute(
        db, IDV_SQL_OPERATOR_ACTION_APPEND,
        IDV_DB_PARAMS(idv_db_text(action->organization_id), idv_db_text(id),
                      idv_db_text(entry_text(action, id, pool))),
        &appended, pool));
    return appended ? NULL : idv_error_new(IDV_E_AUDIT_CHAIN_BROKEN, pool);
}

idv_error_t *idv_operator_action_restore_head(idv_db_t *db,
                                              const char *organization_id,
                                              int *restored, apr_pool_t *pool)
{
    apr_int64_t changed;

    IDV_TRY(idv_db_execute(db, IDV_SQL_OPERATOR_ACTION_RESTORE_HEAD,
                           IDV_DB_PARAMS(idv_db_text(organization_id)),
                           &changed, pool));
    *restored = changed > 0;
    return NULL;
}

/* --- lists --- */

/* An entry with its place in the chain behind what it says. */
static const char *action_text(const idv_db_result_t *rows, int row,
                               apr_pool_t *pool)
{
    const char *entry = idv_db_get_text(rows, row, 2);
    apr_size_t length = strlen(entry);

    return apr_psprintf(pool,
                        "%.*s,\"sequence\":%" APR_INT64_T_FMT ",\"hash\":\"%s\"}",
                        (int)(length ? length - 1 : 0), entry,
                        idv_db_get_int(rows, row, 0),
                        idv_db_get_text(rows, row, 3));
}

/* The statements of a list filtered by VALUE. */
typedef struct {
    const char *value;
    idv_sql_t older, newer;
} filtered_t;

#define FILTERED(value, name)                                                  \
    {value, IDV_SQL_OPERATOR_ACTION_LIST_OF_##name,                            \
     IDV_SQL_OPERATOR_ACTION_LIST_OF_##name##_NEWER}

static idv_error_t *query_page(idv_db_t *db,
                               const idv_operator_action_filter_t *filter,
                               idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    const filtered_t filters[] = {FILTERED(filter->actor, ACTOR),
                                  FILTERED(filter->action, ACTION),
                                  FILTERED(filter->subject, SUBJECT)};
    idv_cursor_range_t range =
        idv_cursor_range(cursor, IDV_ID_OPERATOR_ACTION, filter->created_from,
                         filter->created_before, pool);
    idv_db_param_t organization = idv_db_text(filter->organization_id);

    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (filters[i].value)
            return idv_db_query(
                db,
                idv_cursor_statement(cursor, filters[i].older,
                                     filters[i].newer),
                IDV_DB_PARAMS(organization, idv_db_text(filters[i].value),
                              idv_db_text(range.lower), idv_db_text(range.upper),
                              idv_cursor_limit(cursor)),
                rows, pool);
    return idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_OPERATOR_ACTION_LIST,
                             IDV_SQL_OPERATOR_ACTION_LIST_NEWER),
        IDV_DB_PARAMS(organization, idv_db_text(range.lower),
                      idv_db_text(range.upper), idv_cursor_limit(cursor)),
        rows, pool);
}

idv_error_t *
idv_operator_action_filter_check(const idv_operator_action_filter_t *filter,
                                 apr_pool_t *pool)
{
    if (filter->action && filter->actor)
        return idv_error_param(pool, "action",
                               "excludes `actor`. Pass one of them.");
    if (filter->subject && (filter->actor || filter->action))
        return idv_error_param(
            pool, "subject",
            "excludes `actor` and `action`. Pass one of them.");
    return NULL;
}

idv_error_t *idv_operator_action_list(idv_db_t *db,
                                      const idv_operator_action_filter_t *filter,
                                      apr_array_header_t **actions,
                                      int *has_more, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(query_page(db, filter, &rows, pool));
    page = idv_cursor_page(rows, &filter->cursor);
    *has_more = page.has_more;
    *actions = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*actions, const char *) =
            action_text(rows, idv_cursor_row(&page, i), pool);
    return NULL;
}

/* --- entries as they are kept --- */

/* The entry in a row of lists and chains. */
static idv_operator_entry_t read_entry(const idv_db_result_t *rows, int row,
                                       const char *organization_id)
{
    return (idv_operator_entry_t){
        .organization_id = organization_id,
        .sequence = idv_db_get_int(rows, row, 0),
        .id = idv_db_get_text(rows, row, 1),
        .entry = idv_db_get_text(rows, row, 2),
        .hash = idv_db_get_text(rows, row, 3),
    };
}

static idv_error_t *query_chain(idv_db_t *db, const char *organization_id,
                                apr_int64_t after, idv_db_result_t **rows,
                                apr_pool_t *pool)
{
    return idv_db_query(db, IDV_SQL_OPERATOR_ACTION_READ_CHAIN,
                        IDV_DB_PARAMS(idv_db_text(organization_id),
                                      idv_db_int(after), idv_db_int(BATCH)),
                        rows, pool);
}

/* --- exports --- */

const char *idv_operator_entry_line(const idv_operator_entry_t *entry,
                                    apr_pool_t *pool)
{
    idv_json_writer_t line;

    idv_json_writer_init(&line, EXPECTED_LENGTH, pool);
    idv_json_open_object(&line, NULL);
    idv_json_put_text(&line, "organization", entry->organization_id);
    idv_json_put_integer(&line, "sequence", entry->sequence);
    idv_json_put_text(&line, "entry", entry->entry);
    idv_json_put_text(&line, "hash", entry->hash);
    idv_json_close_object(&line);
    return idv_json_writer_text(&line, NULL);
}

idv_error_t *idv_operator_action_export(idv_db_t *db,
                                        idv_operator_export_t *export,
                                        idv_operator_entry_visit_t *visit,
                                        void *baton, apr_pool_t *pool)
{
    idv_operator_action_filter_t *filter = &export->filter;
    idv_db_result_t *rows;

    /* Ending before an id, or before none, a list goes from old to new. */
    filter->cursor = (idv_cursor_t){.limit = BATCH - 1,
                                    .ending_before = export->id};
    IDV_TRY(export->is_of_all
                ? query_chain(db, filter->organization_id, export->sequence,
                              &rows, pool)
                : query_page(db, filter, &rows, pool));
    export->is_whole = idv_db_rows(rows) < BATCH;
    for (int row = 0; row < idv_db_rows(rows); row++) {
        const idv_operator_entry_t entry =
            read_entry(rows, row, filter->organization_id);

        IDV_TRY(visit(baton, &entry, pool));
        export->sequence = entry.sequence;
        apr_cpystrn(export->id, entry.id, sizeof(export->id));
    }
    return NULL;
}

/* --- proofs --- */

/* Where the reading of a chain stands. */
typedef struct {
    idv_db_t *db;
    idv_operator_entry_visit_t *visit;
    void *baton;
    idv_operator_chain_t *chain;
    unsigned char hash[IDV_DIGEST_SIZE]; /* of the last entry */
    char digits[2 * IDV_DIGEST_SIZE + 1];
    apr_pool_t *pool; /* for what stays */
} reading_t;

static void write_digits(reading_t *reading)
{
    static const char hex[] = "0123456789abcdef";

    for (int i = 0; i < IDV_DIGEST_SIZE; i++) {
        reading->digits[2 * i] = hex[reading->hash[i] >> 4];
        reading->digits[2 * i + 1] = hex[reading->hash[i] & 15];
    }
    reading->digits[HASH_DIGITS] = '\0';
}

/* The hash of ENTRY behind the one before it. */
static void add_hash(reading_t *reading, const idv_operator_entry_t *entry,
                     apr_pool_t *pool)
{
    apr_size_t before = entry->sequence > 1 ? IDV_DIGEST_SIZE : 0;
    apr_size_t length = strlen(entry->entry);
    unsigned char *text = apr_palloc(pool, before + length + 1);

    memcpy(text, reading->hash, before);
    memcpy(text + before, entry->entry, length);
    idv_sha256(text, before + length, reading->hash);
    write_digits(reading);
}

/* Whether the entry says itself that it is the one with this id, in this chain:
 * else it could be moved between chains that share a beginning. */
static int names_itself(const idv_operator_entry_t *entry, apr_pool_t *pool)
{
    json_t *value = idv_json_own(json_loads(entry->entry, 0, NULL), pool);
    const char *id = json_string_value(json_object_get(value, "id"));
    const char *organization =
        json_string_value(json_object_get(value, "organization"));

    return id && organization && strcmp(id, entry->id) == 0
        && strcmp(organization, entry->organization_id) == 0;
}

static void check_entry(reading_t *reading, const idv_operator_entry_t *entry,
                        apr_pool_t *pool)
{
    idv_operator_chain_t *chain = reading->chain;
    const char *fault = NULL;

    if (entry->sequence != chain->entries + 1)
        fault = "is missing";
    add_hash(reading, entry, pool);
    if (!fault && strcmp(entry->hash, reading->digits) != 0)
        fault = "does not match its hash";
    if (!fault && !names_itself(entry, pool))
        fault = "belongs elsewhere";
    if (fault && !chain->fault)
        chain->fault = apr_psprintf(reading->pool,
                                    "entry %" APR_INT64_T_FMT " %s",
                                    chain->entries + 1, fault);
    chain->entries = entry->sequence;
}

static idv_error_t *read_batch(reading_t *reading, int *count, apr_pool_t *pool)
{
    idv_operator_chain_t *chain = reading->chain;
    idv_db_result_t *rows;

    IDV_TRY(query_chain(reading->db, chain->organization_id, chain->entries,
                        &rows, pool));
    *count = idv_db_rows(rows);
    for (int row = 0; row < *count; row++) {
        const idv_operator_entry_t entry =
            read_entry(rows, row, chain->organization_id);

        check_entry(reading, &entry, pool);
        if (reading->visit)
            IDV_TRY(reading->visit(reading->baton, &entry, pool));
    }
    return NULL;
}

/* The chain has to end where its head says. */
static void check_head(reading_t *reading, apr_int64_t sequence,
                       const char *hash)
{
    idv_operator_chain_t *chain = reading->chain;

    chain->head = apr_pstrdup(reading->pool, reading->digits);
    if (chain->fault)
        return;
    if (sequence > chain->entries)
        chain->fault = apr_psprintf(
            reading->pool, "entry %" APR_INT64_T_FMT " is missing", sequence);
    else if (sequence != chain->entries || strcmp(hash, chain->head) != 0)
        chain->fault = "the head does not match the last entry";
}

/* Reads what there is of a chain behind what was read of it. */
static idv_error_t *read_chain(reading_t *reading)
{
    apr_pool_t *batch;
    int count = BATCH;
    idv_error_t *error = NULL;

    apr_pool_create(&batch, reading->pool);
    while (!error && count == BATCH) {
        error = read_batch(reading, &count, batch);
        if (!error)
            apr_pool_clear(batch);
    }
    return error;
}

/* Reads the chain whose head was SEQUENCE and HASH. Entries appended meanwhile
 * are after that head; then the head is read again, and has moved, too. */
static idv_error_t *read_to_head(reading_t *reading, apr_int64_t sequence,
                                 const char *hash)
{
    apr_int64_t last;

    reading->digits[0] = '\0';
    do {
        idv_db_result_t *head;

        last = sequence;
        IDV_TRY(read_chain(reading));
        if (reading->chain->entries <= sequence)
            break;
        IDV_TRY(idv_db_query(
            reading->db, IDV_SQL_OPERATOR_ACTION_LIST_HEADS,
            IDV_DB_PARAMS(idv_db_text(reading->chain->organization_id),
                          idv_db_text(NULL), idv_db_int(1)),
            &head, reading->pool));
        if (idv_db_rows(head) == 0)
            break;
        sequence = idv_db_get_int(head, 0, 1);
        hash = idv_db_get_text(head, 0, 2);
    } while (sequence != last);
    check_head(reading, sequence, hash);
    return NULL;
}

/* The chains of one batch, their faults included, behind what CHAINS has. */
static idv_error_t *read_chains(reading_t *reading,
                                const idv_db_result_t *heads,
                                apr_array_header_t *chains)
{
    for (int row = 0; row < idv_db_rows(heads); row++) {
        idv_operator_chain_t chain = {
            .organization_id = idv_db_get_text(heads, row, 0)};

        reading->chain = &chain;
        IDV_TRY(read_to_head(reading, idv_db_get_int(heads, row, 1),
                             idv_db_get_text(heads, row, 2)));
        APR_ARRAY_PUSH(chains, idv_operator_chain_t) = chain;
    }
    return NULL;
}

idv_error_t *
idv_operator_action_verify(idv_db_t *db, const char *organization_id,
                           const idv_operator_entry_visitor_t *visitor,
                           apr_array_header_t **chains, apr_pool_t *pool)
{
    reading_t reading = {.db = db,
                         .visit = visitor->visit,
                         .baton = visitor->baton,
                         .pool = pool};
    const char *after = NULL;
    idv_db_result_t *heads;

    *chains = apr_array_make(pool, 16, sizeof(idv_operator_chain_t));
    do {
        IDV_TRY(idv_db_query(db, IDV_SQL_OPERATOR_ACTION_LIST_HEADS,
                             IDV_DB_PARAMS(idv_db_text(organization_id),
                                           idv_db_text(after),
                                           idv_db_int(BATCH)),
                             &heads, pool));
        IDV_TRY(read_chains(&reading, heads, *chains));
        if (idv_db_rows(heads))
            after = idv_db_get_text(heads, idv_db_rows(heads) - 1, 0);
    } while (idv_db_rows(heads) == BATCH);
    return NULL;
}
