/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_CURSOR_H
#define IDV_STORE_CURSOR_H

/*
 * Pages of lists. A list is in order of ids, newest first, and a cursor is an
 * id that need not exist any more.
 *
 * Every list has two statements: the older one goes down from its cursor, the
 * newer one up to it, so that both stop after a page; the rows of the newer
 * one therefore come oldest first. Both are asked for one row more than the
 * page has, which tells whether there are more. All of that is known here
 * alone.
 *
 * Memory: a page is a value; its rows belong to the result it was made of.
 */
#include "store/db.h"

/* The length of a page that is not asked for another; statements named
 * *_default have it, and one more, in their text. */
#define IDV_CURSOR_LIMIT_DEFAULT 10

/* At most one of the cursors. */
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

/* Which of the two statements a cursor wants, and its parameters. */
idv_sql_t idv_cursor_statement(const idv_cursor_t *cursor, idv_sql_t older,
                             idv_sql_t newer);
/* Non-zero for an older page of the default length. */
int idv_cursor_is_default(const idv_cursor_t *cursor);
idv_db_param_t idv_cursor_param(const idv_cursor_t *cursor);
idv_db_param_t idv_cursor_limit(const idv_cursor_t *cursor);

/* The page in ROWS, which that statement answered. */
idv_cursor_page_t idv_cursor_page(const idv_db_result_t *rows,
                         const idv_cursor_t *cursor);

/* The row of the page's INDEX-th object, newest first, 0 <= INDEX < count. */
int idv_cursor_row(const idv_cursor_page_t *page, int index);

#endif
