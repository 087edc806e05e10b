/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_FILE_H
#define IDV_CORE_JSON_FILE_H

/*
 * Files of JSON that operators edit, read as strictly as JSON of strangers
 * (core/json.h). Not for use while a request waits.
 */
#include <apr_tables.h>

#include "core/json.h"

/* Reads the file at PATH, of at most LIMIT bytes, as one JSON object that
 * lives in POOL. A file that cannot be read is an internal error whose detail
 * names it; one that is too long or not JSON is `parameter_invalid`. */
idv_error_t *idv_json_file_read(const char *path, apr_size_t limit,
                                json_t **out, apr_pool_t *pool) IDV_CHECKED;

/* The names of the files in the directory at PATH that end with SUFFIX,
 * sorted, as an array of `const char *` in POOL. Hidden files are left out. */
idv_error_t *idv_directory_list(const char *path, const char *suffix,
                                apr_array_header_t **names,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
