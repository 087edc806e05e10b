/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_SECRET_FILES_H
#define IDV_CLI_COMMAND_SECRET_FILES_H

/*
 * New secrets in files of a directory, each in its own, readable only by their
 * owner. They are written before the transaction of their objects ends, so that
 * no secret is lost, and removed again if it fails. A file that is there is
 * never overwritten, and no link is followed.
 *
 * The name is ORGANIZATION.KIND.NAME, where bytes other than letters, digits,
 * `-` and `_` are written as in URLs (%20). The content is the secret and a line
 * end.
 *
 * Memory: the given pool. Threads: one. Failures: `parameter_invalid`
 * (parameter `secrets-dir`) if the directory is not one that only its owner can
 * write to, or the file exists.
 */
#include "core/error.h"

typedef struct idv_secret_files_t idv_secret_files_t;

/* Opens the directory PATH. The files written are removed when POOL ends,
 * unless they were kept. */
idv_error_t *idv_secret_files_open(const char *path, idv_secret_files_t **files,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The name of the file for a secret. */
const char *idv_secret_file_name(const char *organization, const char *kind,
                                 const char *name, apr_pool_t *pool);

/* `parameter_invalid` if the file NAME could not be written. Changes nothing. */
idv_error_t *idv_secret_files_check(const idv_secret_files_t *files,
                                    const char *name,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Writes SECRET into the new file NAME. */
idv_error_t *idv_secret_files_write(idv_secret_files_t *files, const char *name,
                                    const char *secret,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Removes the files written so far. */
void idv_secret_files_discard(idv_secret_files_t *files);

/* The files remain. */
void idv_secret_files_keep(idv_secret_files_t *files);

#endif
