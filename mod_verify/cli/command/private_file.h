/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_PRIVATE_FILE_H
#define IDV_CLI_COMMAND_PRIVATE_FILE_H

/*
 * A new file for personal data, readable only by its owner. It is never an
 * existing file, device or terminal. Unless it was written completely, it is
 * removed when its pool ends.
 *
 * Threads: one. Memory: the given pool. Failures: `parameter_invalid` if no
 * file can be created at the path; an internal error if writing fails.
 */
#include "core/crypto.h"
#include "core/error.h"

typedef struct idv_private_file_t idv_private_file_t;

/* Creates the file that the option NAME names, at PATH. */
idv_error_t *idv_private_file_create(const char *name, const char *path,
                                     idv_private_file_t **file,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Writes CONTENT, the whole of it, and closes the file. */
idv_error_t *idv_private_file_write(idv_private_file_t *file,
                                    idv_bytes_t content,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
