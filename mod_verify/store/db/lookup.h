/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_LOOKUP_H
#define IDV_STORE_DB_LOOKUP_H

/*
 * How objects are found: in whose scope, and in pages.
 *
 * A scope says whose objects a statement may see. What lies outside of it is
 * missing for whoever asks, exactly as what never existed.
 *
 * A list is in order of ids, newest first, and a cursor is an id, of an object
 * that need not exist any more. Every list has two statements, which
 * apxs/embed_sql.pl makes of one text: the older one goes down from its cursor,
 * the newer one up from it, so that both stop after a page; the rows of the
 * newer one therefore come oldest first. Both are asked for one row more than
 * the page has, and that row tells whether there are more. Only the functions
 * below know all of that.
 *
 * Threads: as in store/db/db.h. Memory: a page is a value; its rows belong to the
 * result it was made of.
 */
#include "core/id.h"
#include "store/db/db.h"

/* --- scopes --- */

typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: all of the organization's */
} idv_scope_t;

/* How an object is looked up by its id. */
typedef struct {
    idv_sql_t statement; /* of organization_id, id and application_id */
    idv_id_type_t type;
    idv_error_code_t missing; /* the error without a row */
} idv_scope_lookup_t;

/* The row of the object ID in SCOPE, which is number 0 of *ROW; inside of
 * store/. A text that has not the form of such an id costs no query. */
idv_error_t *idv_scope_find(idv_db_t *db, const idv_scope_lookup_t *lookup,
                            const idv_scope_t *scope, const char *id,
                            idv_db_result_t **row,
                            apr_pool_t *pool) IDV_CHECKED;

/* --- pages --- */

/* The length of a page when the caller names none; session/list_answers.sql has
 * it, and one more, in its text. */
#define IDV_CURSOR_LIMIT_DEFAULT 10

/* At most one of the two ids is set. */
typedef struct {
    int limit;
    const char *starting_after; /* ids older than this */
    const char *ending_before;  /* ids newer than this */
} idv_cursor_t;

typedef struct {
    const idv_db_result_t *rows;
    int count; /* of the page, at most the limit */
    int has_more;
    int oldest_first;
} idv_cursor_page_t;

/* The one of the two statements of a list that CURSOR asks for. */
idv_sql_t idv_cursor_statement(const idv_cursor_t *cursor, idv_sql_t older,
                               idv_sql_t newer);

/* The parameters of both, `lower`, `upper` and `limit`: the page is of ids of
 * TYPE from the lower bound on and before the upper one. Bounds live in
 * POOL. */
#define IDV_CURSOR_PARAMS(cursor, type, pool)                                  \
    idv_cursor_lower(cursor, type, pool),                                      \
        idv_cursor_upper(cursor, type, pool), idv_cursor_limit(cursor)

/* An id begins with its time, so times are bounds of ids as cursors are: the page
 * is of ids from LOWER on and before UPPER, of objects created at FROM or later
 * and before BEFORE: 0 leaves none, for whenever there is IDV_LATEST_SECOND. The
 * texts live in POOL. */
typedef struct {
    const char *lower, *upper;
} idv_cursor_range_t;

idv_cursor_range_t idv_cursor_range(const idv_cursor_t *cursor,
                                    idv_id_type_t type, idv_time_t from,
                                    idv_time_t before, apr_pool_t *pool);

idv_db_param_t idv_cursor_lower(const idv_cursor_t *cursor, idv_id_type_t type,
                                apr_pool_t *pool);
idv_db_param_t idv_cursor_upper(const idv_cursor_t *cursor, idv_id_type_t type,
                                apr_pool_t *pool);
idv_db_param_t idv_cursor_limit(const idv_cursor_t *cursor);

/* Behind all ids that begin with what stands before it; inside of store/. */
#define IDV_ID_LAST "~"

/* The id of CURSOR or NULL, for statements that have one direction. */
idv_db_param_t idv_cursor_param(const idv_cursor_t *cursor);

/* Non-zero for an older page of the default length. */
int idv_cursor_is_default(const idv_cursor_t *cursor);

/* The page in ROWS, which that statement answered. */
idv_cursor_page_t idv_cursor_page(const idv_db_result_t *rows,
                                  const idv_cursor_t *cursor);

/* The row of the page's INDEX-th object, newest first, 0 <= INDEX < count. */
int idv_cursor_row(const idv_cursor_page_t *page, int index);

#endif
