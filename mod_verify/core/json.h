/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_H
#define IDV_CORE_JSON_H

/*
 * The reader of JSON, on jansson: what strangers send, files that operators
 * edit, and what this service kept. core/json_writer.h is the writer. A text of
 * our own that is read in large numbers goes straight into a struct instead
 * (core/json_record.h).
 *
 * What others wrote is read strictly: UTF-8 only, no NULs, no duplicate keys, no
 * trailing text, at most IDV_JSON_MAX_DEPTH levels. Objects keep the order of
 * the document, which is what "the first error in document order" relies on.
 *
 * JSON Pointers (RFC 6901) say where in a document a fault is. The pointer to
 * the whole document is "".
 *
 * Memory: jansson counts references; idv_json_own() ties one reference to a
 * pool so that callers never call json_decref() themselves. Values that are read
 * here are owned by the pool already. Threads: a value belongs to one thread at
 * a time; pointers are pure.
 */
#include <jansson.h>

#include "core/error.h"

/* Levels of arrays and objects that a document may nest. */
#define IDV_JSON_MAX_DEPTH 16

/* Parses LENGTH bytes as one JSON object; the result lives in POOL. Anything
 * else is `parameter_invalid` without a parameter and without the text. */
idv_error_t *idv_json_parse(const char *text, apr_size_t length, json_t **out,
                            apr_pool_t *pool) IDV_CHECKED;

/* Reads the file at PATH, of at most LIMIT bytes, as one object or array that
 * lives in POOL, as strictly. A file that cannot be read is an internal error
 * whose detail names it; one that is too long or not JSON is
 * `parameter_invalid`. Not for use while a request waits. */
idv_error_t *idv_json_file_read(const char *path, apr_size_t limit,
                                json_t **out, apr_pool_t *pool) IDV_CHECKED;

/* The value in TEXT, any JSON that this service wrote, in POOL; NULL for NULL
 * and for what is no JSON. */
json_t *idv_json_load(const char *text, apr_pool_t *pool);

/* Gives the caller's reference to POOL and returns VALUE, for one-line use. */
json_t *idv_json_own(json_t *value, apr_pool_t *pool);

/* A JSON integer, or JSON null for zero and below (absent times). New
 * reference. */
json_t *idv_json_integer_or_null(apr_int64_t value);

/* The pointer to the member KEY of the object at POINTER; "~" and "/" of the key
 * are escaped (RFC 6901, 3). */
const char *idv_json_pointer_member(const char *pointer, const char *key,
                                    apr_pool_t *pool);

/* The pointer to the element INDEX, from 0, of the array at POINTER. */
const char *idv_json_pointer_element(const char *pointer, apr_size_t index,
                                     apr_pool_t *pool);

#endif
