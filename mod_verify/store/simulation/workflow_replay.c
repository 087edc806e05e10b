/* SPDX-License-Identifier: Apache-2.0 */
#include "store/simulation/workflow_replay.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "store/session/session_record.h"
#include "store/workflow/workflow.h"

/* The columns behind those of a session in workflow_replay/sessions.sql. */
enum {
    PAGE_ID = IDV_SESSION_COLUMN_COUNT,
    PAGE_STATUS,
    DECISIONS,
    REVIEWS,
    ASSESSMENTS,
};

/* The columns of workflow_replay_columns.sql; a claim has two more. */
enum { ATTEMPTS = 20, COMPILED };

static void read_replay(const idv_db_result_t *rows, int row,
                        idv_workflow_replay_t *replay, apr_pool_t *pool)
{
#define TEXT(column) idv_db_get_text(rows, row, column)
    *replay = (idv_workflow_replay_t){
        .organization_id = TEXT(0),
        .id = TEXT(1),
        .workflow_id = TEXT(2),
        .version_id = TEXT(3),
        .draft_id = TEXT(4),
        .is_current_law = strcmp(TEXT(5), "current") == 0,
        .risk = idv_db_get_json(rows, row, 6, pool),
        .since = idv_db_get_int(rows, row, 7),
        .until = idv_db_get_int(rows, row, 8),
        .position = TEXT(9),
        .last_position = TEXT(10),
        .status = TEXT(11),
        .error = TEXT(12),
        .tally = idv_db_get_json(rows, row, 13, pool),
        .created_by = TEXT(14),
        .created = idv_db_get_int(rows, row, 15),
        .updated = idv_db_get_int(rows, row, 16),
        .ended = idv_db_get_int(rows, row, 17),
        .is_shadow = idv_db_get_bool(rows, row, 18),
        .compiled_sha256 = TEXT(19),
    };
#undef TEXT
}

/* --- ordering, looking, stopping --- */

static const char *law_of(const idv_workflow_replay_t *replay)
{
    return replay->is_current_law ? "current" : "kept";
}

/* A retired workflow gets no shadow, and keeps none. */
static idv_error_t *check_live(idv_db_t *db,
                               const idv_workflow_replay_t *replay,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_error_t *error;

    if (!replay->is_shadow)
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_REPLAY_LOCK_WORKFLOW,
                         IDV_DB_PARAMS(idv_db_text(replay->organization_id),
                                       idv_db_text(replay->workflow_id)),
                         &rows, pool));
    if (!idv_db_rows(rows))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    if (!idv_db_get_bool(rows, 0, 0))
        return NULL;
    error = idv_error_new(IDV_E_WORKFLOW_RETIRED, pool);
    error->param = "workflow_id";
    return error;
}

idv_error_t *idv_workflow_replay_create(idv_db_t *db,
                                        idv_workflow_replay_t *replay,
                                        const idv_workflow_t *workflow,
                                        apr_pool_t *pool)
{
    idv_time_t now = replay->created;
    json_t *compiled = idv_json_own(idv_workflow_json(workflow), pool);
    idv_db_result_t *rows;

    IDV_TRY(check_live(db, replay, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_REPLAY_CREATE,
        IDV_DB_PARAMS(
            idv_db_text(replay->organization_id),
            idv_db_text(idv_id_new(IDV_ID_WORKFLOW_REPLAY, now, pool)),
            idv_db_text(replay->workflow_id), idv_db_text(replay->version_id),
            idv_db_text(replay->draft_id), idv_db_json(compiled, pool),
            idv_db_text(law_of(replay)), idv_db_json(replay->risk, pool),
            idv_db_int(replay->since), idv_db_int(replay->until),
            idv_db_text(idv_id_bound(IDV_ID_SESSION, replay->since, pool)),
            idv_db_text(idv_id_bound(IDV_ID_SESSION, replay->until, pool)),
            idv_db_text(replay->created_by), idv_db_int(now),
            idv_db_bool(replay->is_shadow),
            idv_db_int(replay->is_shadow ? IDV_SHADOWS_MAX : IDV_REPLAYS_MAX)),
        &rows, pool));
    if (!idv_db_rows(rows))
        return idv_error_new(IDV_E_SIMULATION_LIMIT_REACHED, pool);
    read_replay(rows, 0, replay, pool);
    return NULL;
}

idv_error_t *idv_workflow_replay_find(idv_db_t *db,
                                      const char *organization_id,
                                      const char *id,
                                      idv_workflow_replay_t **replay,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WORKFLOW_REPLAY, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_REPLAY_FIND,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_text(id)),
                         &rows, pool));
    if (!idv_db_rows(rows))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *replay = apr_palloc(pool, sizeof(**replay));
    read_replay(rows, 0, *replay, pool);
    return NULL;
}

idv_error_t *idv_workflow_shadow_find(idv_db_t *db, const char *organization_id,
                                      const char *workflow_id,
                                      idv_workflow_replay_t **replay,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_REPLAY_FIND_SHADOW,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_text(workflow_id)),
                         &rows, pool));
    if (!idv_db_rows(rows))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *replay = apr_palloc(pool, sizeof(**replay));
    read_replay(rows, 0, *replay, pool);
    return NULL;
}

idv_error_t *idv_workflow_replay_page(idv_db_t *db,
                                      const idv_workflow_replay_filter_t *filter,
                                      apr_array_header_t **replays,
                                      int *has_more, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_WORKFLOW_REPLAY_LIST,
                             IDV_SQL_WORKFLOW_REPLAY_LIST_NEWER),
        IDV_DB_PARAMS(idv_db_text(filter->organization_id),
                      idv_db_text(filter->workflow_id),
                      idv_db_text(filter->kind),
                      IDV_CURSOR_PARAMS(cursor, IDV_ID_WORKFLOW_REPLAY, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *replays = apr_array_make(pool, page.count, sizeof(idv_workflow_replay_t));
    for (int i = 0; i < page.count; i++)
        read_replay(rows, idv_cursor_row(&page, i), apr_array_push(*replays),
                    pool);
    return NULL;
}

idv_error_t *idv_workflow_replay_stop(idv_db_t *db, const char *organization_id,
                                      const char *id, idv_time_t now,
                                      apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_WORKFLOW_REPLAY_STOP,
                          IDV_DB_PARAMS(idv_db_text(organization_id),
                                        idv_db_text(id), idv_db_int(now)),
                          NULL, pool);
}

static const char *session_text(const idv_db_result_t *rows, int row,
                                apr_pool_t *pool)
{
    return idv_json_text(
        idv_json_own(
            json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?}", "object",
                      "workflow_replay_session", "session_id",
                      idv_db_get_text(rows, row, 0), "result",
                      idv_db_get_text(rows, row, 1), "before",
                      idv_db_get_text(rows, row, 2), "after",
                      idv_db_get_text(rows, row, 3), "reason",
                      idv_db_get_text(rows, row, 4)),
            pool),
        pool);
}

idv_error_t *idv_workflow_replay_sessions(
    idv_db_t *db, const idv_replay_sessions_query_t *query,
    apr_array_header_t **items, int *has_more, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor,
                             IDV_SQL_WORKFLOW_REPLAY_LIST_SESSIONS,
                             IDV_SQL_WORKFLOW_REPLAY_LIST_SESSIONS_NEWER),
        IDV_DB_PARAMS(idv_db_text(query->replay->organization_id),
                      idv_db_text(query->replay->id),
                      idv_db_text(idv_replay_result_value(query->result)),
                      IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_SESSION, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *items = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*items, const char *) =
            session_text(rows, idv_cursor_row(&page, i), pool);
    return NULL;
}

idv_error_t *idv_workflow_replay_account(idv_db_t *db,
                                         const char *organization_id,
                                         idv_replay_account_t *account,
                                         apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_REPLAY_ACCOUNT,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    if (!idv_db_rows(rows))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *account = (idv_replay_account_t){
        .is_sandbox = idv_db_get_bool(rows, 0, 0),
        .free_allotment = idv_db_get_int(rows, 0, 1),
        .months = idv_db_get_json(rows, 0, 2, pool),
    };
    return NULL;
}

static double share(double done, double whole)
{
    return whole > 0 && done > 0 ? (double)(int)(done / whole * 1000) / 1000
                                 : 0;
}

/* How much of the time between the ends was gone through, 0 to 1. */
static double progress_of(const idv_workflow_replay_t *replay)
{
    const char *first, *at;
    double whole = 0, done = 0;

    if (strcmp(replay->status, "done") == 0)
        return 1;
    if (replay->is_shadow) {
        idv_time_t end = replay->ended ? replay->ended : idv_time_now();

        return end < replay->until
                 ? share((double)(end - replay->since),
                         (double)(replay->until - replay->since))
                 : 1;
    }
    if (strlen(replay->position) < 14 || strlen(replay->last_position) < 14)
        return 0;
    /* Ids begin with their time; ten characters of 32 values. */
    for (int i = 0; i < 10; i++) {
        static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

        at = strchr(alphabet, replay->position[4 + i]);
        first = strchr(alphabet, replay->last_position[4 + i]);
        if (!at || !first)
            return 0;
        done = done * 32 + (double)(at - alphabet);
        whole = whole * 32 + (double)(first - alphabet);
    }
    done -= (double)replay->since;
    whole -= (double)replay->since;
    return share(done, whole);
}

json_t *idv_workflow_replay_json(const idv_workflow_replay_t *replay,
                                 const idv_replay_account_t *account,
                                 apr_pool_t *pool)
{
    json_t *object = idv_json_own(
        json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s?, s:s, s:b, s:s, s:s?,"
                  " s:I, s:I, s:f}",
                  "id", replay->id, "object", "workflow_replay", "kind",
                  replay->is_shadow ? "shadow" : "past", "workflow_id",
                  replay->workflow_id, "version_id", replay->version_id,
                  "draft_id", replay->draft_id, "compiled_sha256",
                  replay->compiled_sha256, "law", law_of(replay),
                  "other_risk", replay->risk != NULL, "status", replay->status,
                  "error", replay->error, "from",
                  (json_int_t)idv_time_seconds(replay->since), "to",
                  (json_int_t)idv_time_seconds(replay->until), "progress",
                  progress_of(replay)),
        pool);

    idv_replay_tally_show(replay->tally, account, object, pool);
    json_object_set_new(object, "created_by", json_string(replay->created_by));
    json_object_set_new(object, "created",
                        json_integer(idv_time_seconds(replay->created)));
    json_object_set_new(object, "updated",
                        json_integer(idv_time_seconds(replay->updated)));
    json_object_set_new(
        object, "ended",
        idv_json_integer_or_null(idv_time_seconds(replay->ended)));
    return object;
}

/* --- sessions of a shadow --- */

idv_error_t *idv_workflow_shadow_queue(idv_db_t *db,
                                       const idv_session_t *session,
                                       apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_WORKFLOW_REPLAY_QUEUE,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->id),
                      idv_db_text(session->workflow_id),
                      idv_db_text(idv_session_status_value(session->status)),
                      idv_db_int(session->ended_at)),
        NULL, pool);
}

/* --- the work --- */

idv_error_t *idv_workflow_replay_claim(idv_db_t *db, const char *node,
                                       idv_time_t lease,
                                       idv_workflow_replay_t **replay,
                                       apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    *replay = NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_REPLAY_CLAIM,
                         IDV_DB_PARAMS(idv_db_int(now), idv_db_text(node),
                                       idv_db_int(lease),
                                       idv_db_int(now - IDV_SHADOW_SETTLING)),
                         &rows, pool));
    if (!idv_db_rows(rows))
        return NULL;
    *replay = apr_palloc(pool, sizeof(**replay));
    read_replay(rows, 0, *replay, pool);
    (*replay)->attempts = (int)idv_db_get_int(rows, 0, ATTEMPTS);
    (*replay)->compiled = idv_db_get_json(rows, 0, COMPILED, pool);
    (*replay)->node = node;
    return NULL;
}

idv_error_t *idv_workflow_replay_fail(idv_db_t *db,
                                      const idv_workflow_replay_t *replay,
                                      const char *error, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_WORKFLOW_REPLAY_FAIL,
        IDV_DB_PARAMS(idv_db_text(replay->organization_id),
                      idv_db_text(replay->id), idv_db_text(replay->node),
                      idv_db_int(idv_time_now()), idv_db_text(error)),
        NULL, pool);
}

/* A batch while it is gone through. */
typedef struct {
    idv_db_t *db;
    idv_workflow_replay_t *replay;
    const idv_replay_plan_t *plan;
    apr_hash_t *versions; /* idv_workflow_t by id */
    apr_array_header_t *columns[5]; /* of the list: const char * */
    apr_array_header_t *waited;     /* ids, of a shadow: const char * */
    apr_pool_t *pool;
} batch_t;

/* Versions are few, and each is read once a batch. */
static idv_error_t *version_of(batch_t *batch, const idv_session_t *session,
                               const idv_workflow_t **version)
{
    const char *id = session->workflow_version_id;
    idv_workflow_t *found;

    *version = apr_hash_get(batch->versions, id, APR_HASH_KEY_STRING);
    if (*version)
        return NULL;
    IDV_TRY(
        idv_workflow_of_session(batch->db, session, &found, batch->pool));
    apr_hash_set(batch->versions, id, APR_HASH_KEY_STRING, found);
    *version = found;
    return NULL;
}

static void list(batch_t *batch, const char *session_id,
                 const idv_replay_t *replay)
{
    const char *const values[] = {
        session_id, idv_replay_result_value(replay->result), replay->before,
        replay->after ? replay->after : "",
        replay->reason ? idv_replay_reason_value(replay->reason) : ""};

    for (int i = 0; i < 5; i++)
        APR_ARRAY_PUSH(batch->columns[i], const char *) =
            apr_pstrdup(batch->pool, values[i]);
}

/* The session in ROW. One that this version cannot read is not determined, nor
 * one that is not any more how it ended when it was put down for a shadow. */
static idv_error_t *replay_row(batch_t *batch, const idv_db_result_t *rows,
                               int row, apr_pool_t *pool)
{
    int is_there = !idv_db_is_null(rows, row, IDV_COLUMN_id);
    idv_kept_session_t kept = {0};
    idv_replay_t replay = {
        .result = IDV_REPLAY_IS_UNDETERMINED,
        .reason = IDV_REPLAY_RECORD_INCOMPLETE,
        .before = idv_db_get_text(rows, row,
                                  is_there ? IDV_COLUMN_status : PAGE_STATUS),
        .counted_after = -1,
    };
    const char *id = idv_db_get_text(rows, row, PAGE_ID);
    idv_time_t ended = is_there
                         ? idv_db_get_int(rows, row, IDV_COLUMN_updated_at)
                         : idv_time_now();
    idv_session_record_t *record;

    if (is_there && !idv_session_row_read(rows, row, &record, pool)) {
        const idv_session_t *session = record->session;

        kept.session = session;
        kept.decisions = idv_db_get_json(rows, row, DECISIONS, pool);
        kept.reviews = idv_db_get_json(rows, row, REVIEWS, pool);
        kept.assessments = idv_db_get_json(rows, row, ASSESSMENTS, pool);
        IDV_TRY(version_of(batch, session, &kept.workflow));
        idv_session_replay(&kept, batch->plan, &replay, pool);
        ended = session->completed_at ? session->completed_at
                                      : session->ended_at;
    }
    if (idv_replay_tally_add(batch->replay->tally, &replay, ended))
        list(batch, id, &replay);
    return NULL;
}

static idv_error_t *replay_rows(batch_t *batch, const idv_db_result_t *rows)
{
    apr_pool_t *pool;
    idv_error_t *error = NULL;

    apr_pool_create(&pool, batch->pool);
    for (int row = 0; !error && row < idv_db_rows(rows); row++) {
        int has_waited = !idv_db_is_null(rows, row, PAGE_STATUS);

        if (has_waited)
            APR_ARRAY_PUSH(batch->waited, const char *) =
                idv_db_get_text(rows, row, PAGE_ID);
        if (has_waited || !idv_db_is_null(rows, row, IDV_COLUMN_id))
            error = replay_row(batch, rows, row, pool);
        if (!error)
            apr_pool_clear(pool);
    }
    if (!error)
        apr_pool_destroy(pool);
    return error;
}

static idv_db_param_t texts(const batch_t *batch,
                            const apr_array_header_t *array)
{
    return idv_db_texts((const char *const *)array->elts, array->nelts,
                        batch->pool);
}

static idv_error_t *keep(batch_t *batch, const char *position, int is_last)
{
    const idv_workflow_replay_t *replay = batch->replay;
    apr_array_header_t *const *columns = batch->columns;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        batch->db, IDV_SQL_WORKFLOW_REPLAY_ADVANCE,
        IDV_DB_PARAMS(idv_db_text(replay->organization_id),
                      idv_db_text(replay->id), idv_db_text(replay->node),
                      idv_db_int(idv_time_now()), idv_db_text(position),
                      idv_db_json(replay->tally, batch->pool),
                      idv_db_bool(is_last), texts(batch, columns[0]),
                      texts(batch, columns[1]), texts(batch, columns[2]),
                      texts(batch, columns[3]), texts(batch, columns[4]),
                      texts(batch, batch->waited)),
        &rows, batch->pool));
    if (!is_last)
        return NULL;
    return idv_db_execute(batch->db, IDV_SQL_WORKFLOW_REPLAY_FORGET_WAITING,
                          IDV_DB_PARAMS(idv_db_text(replay->organization_id),
                                        idv_db_text(replay->id)),
                          NULL, batch->pool);
}

static idv_error_t *next_sessions(const batch_t *batch, int size,
                                  idv_db_result_t **rows)
{
    const idv_workflow_replay_t *replay = batch->replay;
    idv_db_param_t organization = idv_db_text(replay->organization_id);
    idv_db_param_t workflow = idv_db_text(replay->workflow_id);
    idv_db_param_t assessments = idv_db_bool(batch->plan->risk != NULL);

    if (replay->is_shadow)
        return idv_db_query(batch->db, IDV_SQL_WORKFLOW_REPLAY_SHADOW_SESSIONS,
                            IDV_DB_PARAMS(organization, workflow,
                                          idv_db_text(replay->id),
                                          idv_db_int(size), assessments),
                            rows, batch->pool);
    return idv_db_query(batch->db, IDV_SQL_WORKFLOW_REPLAY_SESSIONS,
                        IDV_DB_PARAMS(organization, workflow,
                                      idv_db_text(replay->position),
                                      idv_db_text(replay->last_position),
                                      idv_db_int(size), assessments),
                        rows, batch->pool);
}

/* Whether a job is done after a batch of COUNT sessions of SIZE. */
static int is_done(const idv_workflow_replay_t *replay, int count, int size)
{
    int is_over = !replay->is_shadow
               || replay->until <= idv_time_now() - IDV_SHADOW_SETTLING;

    return (count < size && is_over)
        || idv_replay_tally_number(replay->tally, "processed")
               >= IDV_REPLAY_SESSIONS_MAX;
}

idv_error_t *idv_workflow_replay_advance(idv_db_t *db,
                                         idv_workflow_replay_t *replay,
                                         const idv_replay_plan_t *plan,
                                         int size, apr_pool_t *pool)
{
    batch_t batch = {.db = db,
                     .replay = replay,
                     .plan = plan,
                     .versions = apr_hash_make(pool),
                     .waited = apr_array_make(pool, size, sizeof(char *)),
                     .pool = pool};
    idv_db_result_t *rows;
    int count;

    for (int i = 0; i < 5; i++)
        batch.columns[i] = apr_array_make(pool, size, sizeof(const char *));
    IDV_TRY(next_sessions(&batch, size, &rows));
    count = idv_db_rows(rows);
    IDV_TRY(replay_rows(&batch, rows));
    return keep(&batch,
                count && !replay->is_shadow
                    ? idv_db_get_text(rows, count - 1, PAGE_ID)
                    : replay->position,
                is_done(replay, count, size));
}
