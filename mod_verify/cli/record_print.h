/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_RECORD_PRINT_H
#define IDV_CLI_RECORD_PRINT_H

/*
 * An answer for whoever reads it on a terminal, where its command has no form
 * of its own: an object as a line a member, the names beside the values; what
 * is in it below, lists of objects as tables (cli/table.h), or one object after
 * the other where the terminal is not wide enough or texts would be cut; what
 * people write as JSON (a workflow's definition) as that. Texts are shown
 * whole, and of none a byte that could command the terminal.
 *
 * Memory: the given pool. Threads: pure, but for what is printed. Nothing
 * fails.
 */
#include <stdio.h>

#include <apr_pools.h>
#include <jansson.h>

/* As wide as the terminal that standard output is. */
void idv_record_print(const json_t *answer, FILE *out, apr_pool_t *pool);

#endif
