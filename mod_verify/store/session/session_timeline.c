/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_timeline.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

/* A cursor is the time in milliseconds, a dot, and the key by which entries of
 * one time are ordered: an id, or a word. */

#define KEY_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

static idv_error_t *read_cursor(const char *cursor, apr_int64_t *at,
                                const char **key, apr_pool_t *pool)
{
    char *end;

    *at = 0;
    *key = "";
    if (!cursor)
        return NULL;
    *at = apr_strtoi64(cursor, &end, 10);
    if (end == cursor || *at < 0 || *end != '.'
        || end[1 + strspn(end + 1, KEY_CHARACTERS)])
        return idv_error_param(pool, "cursor",
                               "must be the cursor of an entry of a page.");
    *key = end + 1;
    return NULL;
}

idv_error_t *idv_session_timeline(idv_db_t *db,
                                  const idv_timeline_filter_t *filter,
                                  apr_array_header_t **entries, int *has_more,
                                  apr_pool_t *pool)
{
    apr_int64_t at;
    idv_db_result_t *rows;
    const char *key;
    int count;

    IDV_TRY(read_cursor(filter->cursor, &at, &key, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_SESSION_TIMELINE,
        IDV_DB_PARAMS(idv_db_text(filter->session->organization_id),
                      idv_db_text(filter->session->id), idv_db_int(at),
                      idv_db_text(key), idv_db_int(filter->limit + 1)),
        &rows, pool));
    count = idv_db_rows(rows);
    *has_more = count > filter->limit;
    if (*has_more)
        count = filter->limit;
    *entries = apr_array_make(pool, count, sizeof(idv_timeline_entry_t));
    for (int row = 0; row < count; row++) {
        idv_timeline_entry_t *entry = apr_array_push(*entries);

        entry->at = idv_db_get_int(rows, row, 0);
        entry->kind = idv_db_get_text(rows, row, 2);
        entry->body = idv_db_get_text(rows, row, 3);
        entry->cursor =
            apr_psprintf(pool, "%" APR_INT64_T_FMT ".%s", entry->at,
                         idv_db_get_text(rows, row, 1));
    }
    return NULL;
}
