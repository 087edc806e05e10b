/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_H
#define IDV_CORE_JSON_H

/*
 * JSON of strangers and of our own, on jansson.
 *
 * Parsing is strict: UTF-8 only, no NULs, no duplicate keys, no trailing text,
 * at most IDV_JSON_MAX_DEPTH levels. Objects keep the order of the document,
 * which is what "the first error in document order" relies on.
 *
 * Memory: jansson counts references; idv_json_own() ties one reference to a
 * pool so that callers never call json_decref() themselves. Values got from
 * idv_json_parse() are owned by the pool already. Threads: a value belongs to
 * one thread at a time.
 */
#include <jansson.h>

#include "core/error.h"

/* Levels of arrays and objects that a document may nest. */
#define IDV_JSON_MAX_DEPTH 16

/* How jansson writes what leaves the server: with the digits of a double that
 * mean something, 0.98 and not 0.97999999999999998. */
#define IDV_JSON_FLAGS                                                         \
    (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))

/* Parses LENGTH bytes as one JSON object; the result lives in POOL. Anything
 * else is `parameter_invalid` without a parameter and without the text. */
idv_error_t *idv_json_parse(const char *text, apr_size_t length, json_t **out,
                            apr_pool_t *pool) IDV_CHECKED;

/* Gives the caller's reference to POOL and returns VALUE, for one-line use. */
json_t *idv_json_own(json_t *value, apr_pool_t *pool);

/* Compact text, keys in insertion order, allocated in POOL; its length in
 * bytes goes to *LENGTH when that is not NULL. Fails only when memory does or
 * when VALUE holds a string that is not UTF-8. */
idv_error_t *idv_json_dump(const json_t *value, const char **text,
                           apr_size_t *length, apr_pool_t *pool) IDV_CHECKED;

/* A JSON string, or JSON null for a NULL pointer. New reference; NULL when TEXT
 * is not UTF-8. */
json_t *idv_json_string_or_null(const char *text);

/* A JSON integer, or JSON null for zero and below (absent times). New
 * reference. */
json_t *idv_json_integer_or_null(apr_int64_t value);

#endif
