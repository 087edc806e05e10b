/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_TABLE_H
#define IDV_CLI_TABLE_H

/*
 * Lists of objects as tables for whoever reads them on a terminal.
 *
 * What stands in a cell may be a stranger's text (a customer's reference, the
 * name of an endpoint): it is shown by core/terminal_text.h, so that none of it
 * commands the terminal, and what is longer than a column may be ends with `~`.
 *
 * Memory: the given pool. Threads: pure, but for what is printed. Nothing fails.
 */
#include <stdio.h>

#include <apr_pools.h>
#include <jansson.h>

/* The text of a member of OBJECT as a cell shows it: "" for null and for what is
 * missing, a day and time (UTC) for a number under a name that is a time's
 * (created, updated, deadline, since, until, ..._at,
 * ..._since). */
const char *idv_table_cell(const json_t *object, const char *name,
                           apr_pool_t *pool);

/* The same, however long it is: for what has a line of its own. */
const char *idv_table_text(const json_t *object, const char *name,
                           apr_pool_t *pool);

/* How many characters wide the table of these columns would be; INT_MAX when it
 * would not show all of a text. */
int idv_table_width(const json_t *list, const char *const *names,
                    apr_pool_t *pool);

#define IDV_TABLE_INDENT 2

/* Where a table goes, and how far from the left. */
typedef struct {
    FILE *out;
    int indent;
} idv_table_place_t;

void idv_table_print_in(const idv_table_place_t *place, const json_t *list,
                        const char *const *names, apr_pool_t *pool);

/* Prints the columns NAMES, ending with NULL, of the objects in LIST, or that
 * there is nothing. A column that no object has is left out. */
void idv_table_print(FILE *out, const json_t *list, const char *const *names,
                     apr_pool_t *pool);

#endif
