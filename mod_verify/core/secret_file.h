/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_SECRET_FILE_H
#define IDV_CORE_SECRET_FILE_H

/*
 * Files that hold one secret: a key, a password or a token. An administrator
 * names the file in the configuration, so that the secret itself stands in none.
 *
 * A secret is one only in a regular file that nobody but its owner can read or
 * write, and that is owned by root or by the effective user of the process that
 * reads it. Every other file is refused, whatever it holds. The files are read
 * at start-up, by the parent of httpd as a rule, and by verifyctl.
 *
 * Memory: the caller's, and the given pool, wiped with it. Failures: internal
 * errors whose detail names the file and what is wrong with it. Threads: no
 * state.
 */
#include "core/error.h"

#define IDV_SECRET_MAX 1024 /* bytes of a secret */

/* The first SIZE bytes of the file at PATH, as far as it has them, in TEXT, and
 * how many they are in *LENGTH. No copy of them stays anywhere else. */
idv_error_t *idv_private_file_read(const char *path, char *text,
                                   apr_size_t size, apr_size_t *length,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The first line of the file at PATH, without its end; wiped with POOL.
 * An empty line and a longer one are errors. */
idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
