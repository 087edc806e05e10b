/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_TRUST_TRUST_SOURCE_H
#define IDV_CLI_TRUST_TRUST_SOURCE_H

/*
 * Reads trusted certificates from files: one, or all of a directory in the
 * order of their names. Faults, and each expired certificate, are reported with
 * the path of the file.
 *
 * Memory: the given pool. Threads: one. Failures: `parameter_invalid` with a
 * text for the operator; internal errors for files that cannot be opened.
 * Nothing is read partially.
 */
#include <jansson.h>

#include "methods/trust/trust_file.h"

typedef struct {
    const char *path;
    idv_bytes_t bytes;
} idv_trust_source_t;

/* The file at PATH, or those of that directory, as an array of
 * idv_trust_source_t: at least one, and at most IDV_TRUST_FILE_MAX bytes in
 * all. */
idv_error_t *idv_trust_sources_read(const char *path,
                                    apr_array_header_t **sources,
                                    apr_pool_t *pool) IDV_CHECKED;

/* All bytes of SOURCES; their digest is stored. */
idv_bytes_t idv_trust_sources_join(const apr_array_header_t *sources,
                                   apr_pool_t *pool);

/* The plain certificates of SOURCES, as an array of idv_bytes_t. */
idv_error_t *idv_trust_sources_certificates(const apr_array_header_t *sources,
                                            apr_array_header_t **certificates,
                                            apr_pool_t *pool) IDV_CHECKED;

/* Parses SOURCES as READING says. Appends remarks for the operator to WARNINGS,
 * an array. */
idv_error_t *idv_trust_sources_content(const apr_array_header_t *sources,
                                       const idv_trust_reading_t *reading,
                                       idv_trust_content_t **content,
                                       json_t *warnings,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
