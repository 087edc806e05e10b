/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_TRUST_SOURCE_H
#define IDV_CLI_TRUST_SOURCE_H

/*
 * The files out of which verifyctl reads trusted certificates: one, or all of a
 * directory in the order of their names. What is wrong in one is said with its
 * path, and so is each certificate that has ended.
 *
 * Memory: the pool given. Threads: one. Failures: `parameter_invalid` with a
 * text for the operator, internal errors for what cannot be opened; nothing is
 * read in part.
 */
#include <jansson.h>

#include "methods/trust/trust_file.h"

typedef struct {
    const char *path;
    idv_bytes_t bytes;
} idv_trust_source_t;

/* The file at PATH, or those of that directory, as an array of
 * idv_trust_source_t: one at least, and in all no more than IDV_TRUST_FILE_MAX
 * bytes. */
idv_error_t *idv_trust_sources_read(const char *path,
                                    apr_array_header_t **sources,
                                    apr_pool_t *pool) IDV_CHECKED;

/* All bytes of SOURCES, of which the digest is kept. */
idv_bytes_t idv_trust_sources_join(const apr_array_header_t *sources,
                                   apr_pool_t *pool);

/* The plain certificates of SOURCES, as an array of idv_bytes_t. */
idv_error_t *idv_trust_sources_certificates(const apr_array_header_t *sources,
                                            apr_array_header_t **certificates,
                                            apr_pool_t *pool) IDV_CHECKED;

/* What SOURCES say, read as READING has it. Appends to WARNINGS, an array, what
 * the operator should know of it. */
idv_error_t *idv_trust_sources_content(const apr_array_header_t *sources,
                                       const idv_trust_reading_t *reading,
                                       idv_trust_content_t **content,
                                       json_t *warnings,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
