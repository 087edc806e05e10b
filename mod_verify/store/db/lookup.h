/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_LOOKUP_H
#define IDV_STORE_DB_LOOKUP_H

/*
 * Finding objects: scopes and pages.
 *
 * A scope says whose objects a statement can see. An object outside of it is
 * missing, exactly like one that never existed.
 *
 * A list is ordered by id, newest first. A cursor is an id; its object need not
 * exist any more. Every list has two statements, which apxs/embed_sql.pl
 * generates from one text: the older one descends from its cursor, the newer
 * one ascends from it, so that both stop after a page. The rows of the newer
 * one therefore come oldest first. Both request one row more than the page has,
 * which shows whether there are more. Only the functions below know these
 * details.
 *
 * Threads: as in store/db/db.h. Memory: a page is a value; its rows belong to
 * its result.
 */
#include "core/id.h"
#include "store/db/db.h"

/* --- scopes --- */

typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: the whole organization */
} idv_scope_t;

/* The lookup of an object by its id. */
typedef struct {
    idv_sql_t statement; /* of organization_id, id and application_id */
    idv_id_type_t type;
    idv_error_code_t missing; /* the error if there is no row */
    idv_scope_t scope;
    const char *id;
} idv_scope_lookup_t;

/* The row of the object of LOOKUP, row 0 of *ROW; only for store/. A text
 * without the form of such an id costs no query. */
idv_error_t *idv_scope_find(idv_db_t *db, const idv_scope_lookup_t *lookup,
                            idv_db_result_t **row,
                            apr_pool_t *pool) IDV_CHECKED;

/* --- pages --- */

/* The default page length; session/list_answers.sql contains this number plus
 * one in its text. */
#define IDV_CURSOR_LIMIT_DEFAULT 10

/* At most one of the two ids is set. */
typedef struct {
    int limit;
    const char *starting_after; /* ids older than this */
    const char *ending_before;  /* ids newer than this */
} idv_cursor_t;

/* A page of what a scope has, or of what the object ID in it has. */
typedef struct {
    idv_scope_t scope;
    const char *id; /* NULL: the list is the scope's */
    idv_cursor_t cursor;
} idv_page_query_t;

typedef struct {
    const idv_db_result_t *rows;
    int count; /* in the page, at most the limit */
    int has_more;
    int oldest_first;
} idv_cursor_page_t;

/* The statement of the list that CURSOR requires. */
idv_sql_t idv_cursor_statement(const idv_cursor_t *cursor, idv_sql_t older,
                               idv_sql_t newer);

/* The parameters of both, `lower`, `upper` and `limit`: the page contains ids
 * of TYPE from the lower bound (inclusive) to the upper one (exclusive). Bounds
 * live in POOL. */
#define IDV_CURSOR_PARAMS(cursor, type, pool)                                  \
    idv_cursor_lower(cursor, type, pool),                                      \
        idv_cursor_upper(cursor, type, pool), idv_cursor_limit(cursor)

/* Bounds of ids from a cursor and from times (an id begins with its time): ids
 * from LOWER (inclusive) to UPPER (exclusive), of objects created at FROM or
 * later and before BEFORE. A BEFORE of 0 matches nothing; pass
 * IDV_LATEST_SECOND for no limit. The texts live in POOL. */
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

/* Sorts after all ids with the prefix in front of it; only for store/. */
#define IDV_ID_LAST "~"

/* The id of CURSOR or NULL, for statements with one direction. */
idv_db_param_t idv_cursor_param(const idv_cursor_t *cursor);

/* Non-zero for an older page of the default length. */
int idv_cursor_is_default(const idv_cursor_t *cursor);

/* The page in ROWS, the result of that statement. */
idv_cursor_page_t idv_cursor_page(const idv_db_result_t *rows,
                                  const idv_cursor_t *cursor);

/* The row of the page's object INDEX, newest first, 0 <= INDEX < count. */
int idv_cursor_row(const idv_cursor_page_t *page, int index);

#endif
