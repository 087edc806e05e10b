/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_TABLE_H
#define IDV_CLI_COMMAND_TABLE_H

/*
 * Prints lists of objects as tables on a terminal.
 *
 * Cells may hold untrusted text (a customer's reference, the name of an
 * endpoint). It goes through core/terminal_text.h so that it cannot control the
 * terminal; text longer than its column ends with `~`.
 *
 * Memory: the given pool. Threads: pure except for the output. Nothing fails.
 */
#include <stdio.h>

#include <apr_pools.h>
#include <jansson.h>

/* The cell text of a member of OBJECT: "" for null or a missing member, a date
 * and time (UTC) for a number whose name is that of a time (created, updated,
 * deadline, since, until, ..._at, ..._since). */
const char *idv_table_cell(const json_t *object, const char *name,
                           apr_pool_t *pool);

/* The same without a length limit, for a value on its own line. */
const char *idv_table_text(const json_t *object, const char *name,
                           apr_pool_t *pool);

/* The width of the table of these columns in characters; INT_MAX if it would
 * cut a text. */
int idv_table_width(const json_t *list, const char *const *names,
                    apr_pool_t *pool);

#define IDV_TABLE_INDENT 2

/* Where a table is printed, and its indentation. */
typedef struct {
    FILE *out;
    int indent;
} idv_table_place_t;

void idv_table_print_in(const idv_table_place_t *place, const json_t *list,
                        const char *const *names, apr_pool_t *pool);

/* Prints the columns NAMES, ending with NULL, of the objects in LIST, or a note
 * that there are none. Columns that no object has are left out. */
void idv_table_print(FILE *out, const json_t *list, const char *const *names,
                     apr_pool_t *pool);

#endif
