/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/review.h"

#include "core/id.h"

idv_error_t *idv_review_record(idv_db_t *db, const idv_session_t *session,
                               const idv_review_entry_t *entry, idv_time_t now,
                               apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_REVIEW_INSERT,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->id),
                      idv_db_text(idv_id_new(IDV_ID_REVIEW_ENTRY, now, pool)),
                      idv_db_text(idv_review_action_value(entry->action)),
                      idv_db_text(entry->actor), idv_db_text(entry->note),
                      idv_db_time(entry->deadline), idv_db_time(now),
                      idv_db_text(entry->reason_code),
                      entry->overruled
                          ? idv_db_text_list(entry->overruled, pool)
                          : idv_db_text(NULL),
                      idv_db_text(entry->assignee)),
        NULL, pool);
}

static apr_array_header_t *read_entries(const idv_db_result_t *rows,
                                        apr_pool_t *pool)
{
    int count = idv_db_rows(rows);
    apr_array_header_t *entries =
        apr_array_make(pool, count, sizeof(idv_review_row_t));

    for (int row = 0; row < count; row++) {
        idv_review_row_t *entry = apr_array_push(entries);

        entry->id = idv_db_get_text(rows, row, 0);
        entry->session_id = idv_db_get_text(rows, row, 1);
        entry->action = idv_db_get_text(rows, row, 2);
        entry->actor = idv_db_get_text(rows, row, 3);
        entry->note = idv_db_get_text(rows, row, 4);
        entry->deadline = idv_db_get_int(rows, row, 5);
        entry->created = idv_db_get_int(rows, row, 6);
        entry->reason_code = idv_db_get_text(rows, row, 7);
        entry->overruled = idv_db_get_text(rows, row, 8)
                             ? idv_db_get_texts(rows, row, 8, pool)
                             : NULL;
        entry->assignee = idv_db_get_text(rows, row, 9);
    }
    return entries;
}

/* A time as Unix seconds, or null. New reference. */
static json_t *time_json(idv_time_t time)
{
    return time ? json_integer((json_int_t)idv_time_seconds(time))
                : json_null();
}

/* The names, or null if they were not stated. New reference. */
static json_t *names_json(const char *const *names)
{
    json_t *list = names ? json_array() : json_null();

    for (; names && *names; names++)
        json_array_append_new(list, json_string(*names));
    return list;
}

json_t *idv_review_entry_json(const idv_review_row_t *entry)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s?, s:o, s:s?, s:o, "
                     "s:o}", "id",
                     entry->id, "object", "review_entry", "session_id",
                     entry->session_id, "action", entry->action, "by",
                     entry->actor, "reason_code", entry->reason_code, "note",
                     entry->note, "overruled_checks",
                     names_json(entry->overruled), "assignee", entry->assignee,
                     "deadline", time_json(entry->deadline),
                     "created", time_json(entry->created));
}

idv_error_t *idv_review_list_of_session(idv_db_t *db,
                                        const idv_session_t *session,
                                        apr_array_header_t **entries,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_LIST_OF_SESSION,
                         IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                       idv_db_text(session->id)),
                         &rows, pool));
    *entries = read_entries(rows, pool);
    return NULL;
}

idv_error_t *idv_review_list_ended(idv_db_t *db,
                                   const idv_ended_reviews_query_t *query,
                                   apr_array_header_t **entries,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_LIST_ENDED,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_text(query->after),
                                       idv_db_int(query->limit)),
                         &rows, pool));
    *entries = read_entries(rows, pool);
    for (int row = 0; row < (*entries)->nelts; row++)
        APR_ARRAY_IDX(*entries, row, idv_review_row_t).client_reference_id =
            idv_db_get_text(rows, row, 10);
    return NULL;
}
