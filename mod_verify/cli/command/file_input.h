/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_FILE_INPUT_H
#define IDV_CLI_COMMAND_FILE_INPUT_H

/*
 * A file that a command was given.
 *
 * Threads: one. Memory: the given pool. Failures: `parameter_invalid` for a file
 * that is too large; an internal error, with the path, for one that cannot be
 * read.
 */
#include "core/crypto.h"
#include "core/error.h"

/* Reads the file at PATH, which the argument or option NAME names: at most MAX
 * bytes. A zero byte follows the content. */
idv_error_t *idv_file_input_read(const char *name, const char *path,
                                 apr_size_t max, idv_bytes_t *content,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
