/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_PRIVATE_FILE_H
#define IDV_CLI_PRIVATE_FILE_H

/*
 * A file for what is personal: made anew, so that it is no file, device or
 * terminal that was there before, and readable for its owner alone. Unless it
 * was written whole, nothing is left of it when its pool ends.
 *
 * Threads: one. Memory: the pool given. Failures: `parameter_invalid` for a
 * path where no file can be made; an internal error when it cannot be written.
 */
#include "core/crypto.h"
#include "core/error.h"

typedef struct idv_private_file_t idv_private_file_t;

/* Makes the file of the option NAME at PATH. */
idv_error_t *idv_private_file_create(const char *name, const char *path,
                                     idv_private_file_t **file,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Writes CONTENT, which is all of it, and closes it. */
idv_error_t *idv_private_file_write(idv_private_file_t *file,
                                    idv_bytes_t content,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
