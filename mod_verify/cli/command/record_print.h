/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_RECORD_PRINT_H
#define IDV_CLI_COMMAND_RECORD_PRINT_H

/*
 * Prints an answer on a terminal if its command has no form of its own.
 *
 * - An object has one line per member, with names next to values; nested values
 *   follow below.
 * - Lists of objects are tables (cli/command/table.h), or one object after the
 *   other if the terminal is too narrow or texts would be cut.
 * - JSON that people write (a workflow's definition) is printed as JSON.
 * - Texts are printed whole, without bytes that could control the terminal.
 *
 * Memory: the given pool. Threads: pure except for the output. Nothing fails.
 */
#include <stdio.h>

#include <apr_pools.h>
#include <jansson.h>

/* Uses the width of the terminal on standard output. */
void idv_record_print(const json_t *answer, FILE *out, apr_pool_t *pool);

#endif
