/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_FILE_H
#define IDV_CLI_SETUP_SETUP_FILE_H

/*
 * Reads set-up files and checks whatever needs no database: known fields, their
 * types, names that occur twice, and definitions of workflows. All files are
 * read before anything is changed, and all their faults are reported together,
 * each with file, line and field.
 *
 *     organizations:
 *       - name: Shop
 *         webhook_endpoints:
 *           - {name: Orders, url: "https://shop.example/hooks"}
 *     trust_lists: []              those for all organizations
 *
 * cli/setup/setup_kinds.h has the kinds and fields.
 *
 * Memory: the given pool. Threads: one. Failures: `parameter_invalid` with one
 * line for each fault; an internal error for a file that cannot be read.
 */
#include "cli/setup/setup_kinds.h"
#include "core/yaml_document.h"

/* Bytes of a file, and faults that are reported. */
#define IDV_SETUP_FILE_MAX (4 * 1024 * 1024)
#define IDV_SETUP_FAULTS_MAX 20
#define IDV_SETUP_KINDS_MAX 8

typedef struct {
    const char *path;
    idv_yaml_document_t document;
} idv_setup_file_t;

/* An object of a file. */
typedef struct {
    const idv_setup_kind_t *kind;
    const char *name;
    int is_named; /* flag: it has a name; else NAME is its URL */
    json_t *form; /* its given fields by name, as limits.secret */
    const idv_setup_file_t *file;
    const char *pointer;
} idv_setup_item_t;

/* An organization of a file, or all organizations. */
typedef struct {
    idv_setup_item_t self; /* without a name: all organizations */
    /* By the index of the kind, arrays of idv_setup_item_t; NULL: the file does
     * not manage these objects. */
    apr_array_header_t *lists[IDV_SETUP_KINDS_MAX];
} idv_setup_owner_t;

/* Reads the files PATHS, ending with NULL: an array of idv_setup_owner_t. */
idv_error_t *idv_setup_read(const char *const *paths,
                            apr_array_header_t **owners,
                            apr_pool_t *pool) IDV_CHECKED;

/* ERROR with the place of FIELD in ITEM (NULL: of the item). */
idv_error_t *idv_setup_locate(const idv_setup_item_t *item, const char *field,
                              const idv_error_t *error, apr_pool_t *pool);

/* The path of the file NAME, which is relative to that of ITEM. */
const char *idv_setup_path(const idv_setup_item_t *item, const char *name,
                           apr_pool_t *pool);

#endif
