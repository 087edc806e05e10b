/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_YAML_DOCUMENT_H
#define IDV_CORE_YAML_DOCUMENT_H

/*
 * Files that operators write in YAML or JSON, on libyaml: a value of
 * core/json.h and the line of each member.
 *
 * Only what JSON can express is accepted: one document, whose root is a
 * mapping. Anchors, aliases and tags are refused, and so are names that occur
 * twice, names longer than IDV_YAML_KEY_MAX bytes, NULs, more than
 * IDV_JSON_MAX_DEPTH levels and more than IDV_YAML_VALUES_MAX values. So the
 * result is never much larger than the text.
 *
 * Unquoted words are resolved as in the core schema of YAML 1.2, without
 * hexadecimal and octal numbers: `null`, `true`, `false` and decimal numbers.
 * `yes`, `no`, `on` and `off` are texts.
 *
 * Memory: everything lives in the given pool. Threads: pure.
 */
#include <apr_hash.h>

#include "core/json.h"

#define IDV_YAML_KEY_MAX 255
#define IDV_YAML_VALUES_MAX 200000

typedef struct {
    json_t *root; /* an object, in the order of the document */
    int line;     /* of the fault, if reading failed; 0: unknown */
    /* For idv_yaml_line() alone. */
    json_t *marked;    /* equal to ROOT, or NULL */
    apr_hash_t *lines; /* of the members of a container in MARKED */
} idv_yaml_document_t;

/* Reads LENGTH bytes. A fault is `parameter_invalid` without a parameter; its
 * line is in DOCUMENT. */
idv_error_t *idv_yaml_read(const char *text, apr_size_t length,
                           idv_yaml_document_t *document,
                           apr_pool_t *pool) IDV_CHECKED;

/* The line of the value at POINTER (RFC 6901), or of its nearest ancestor that
 * exists; 0: unknown. */
int idv_yaml_line(const idv_yaml_document_t *document, const char *pointer,
                  apr_pool_t *pool);

#endif
