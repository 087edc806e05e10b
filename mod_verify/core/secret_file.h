/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_SECRET_FILE_H
#define IDV_CORE_SECRET_FILE_H

/*
 * Files that hold one secret, a password or a token, in their first line. An
 * administrator names the file in the configuration, so that the secret itself
 * stands in none.
 */
#include "core/error.h"

#define IDV_SECRET_MAX 1024 /* bytes of a secret */

/* The first line of the file at PATH, without its end; wiped with POOL. A file
 * that cannot be read, an empty line and a longer one are internal errors whose
 * detail names the file. */
idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
