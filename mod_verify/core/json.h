/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_H
#define IDV_CORE_JSON_H

/*
 * The JSON parser, on jansson: for external input, operators' files, and stored
 * data. core/json_writer.h is the writer. Stored texts that are read in large
 * numbers are parsed directly into a struct instead (core/json_record.h).
 *
 * External JSON is parsed strictly: UTF-8 only, no NULs, no duplicate keys, no
 * trailing text, at most IDV_JSON_MAX_DEPTH levels. Objects keep the document's
 * order, on which "the first error in document order" relies.
 *
 * JSON Pointers (RFC 6901) locate faults in a document. The pointer to the
 * whole document is "".
 *
 * Memory: jansson counts references; idv_json_own() ties one reference to a
 * pool, so that callers never call json_decref(). Values parsed here are
 * already owned by the pool. Threads: a value belongs to one thread at a time;
 * pointer functions are pure.
 */
#include <jansson.h>

#include "core/error.h"

/* Maximum nesting of arrays and objects. */
#define IDV_JSON_MAX_DEPTH 16

/* Parses LENGTH bytes as one JSON object; the result lives in POOL. Anything
 * else is `parameter_invalid` without a parameter and without the text. */
idv_error_t *idv_json_parse(const char *text, apr_size_t length, json_t **out,
                            apr_pool_t *pool) IDV_CHECKED;

/* Parses the file at PATH, at most LIMIT bytes, equally strictly, as one object
 * or array that lives in POOL. An unreadable file is an internal error whose
 * detail names it; one that is too long or not JSON is `parameter_invalid`. Not
 * for use during a request. */
idv_error_t *idv_json_file_read(const char *path, apr_size_t limit,
                                json_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Parses TEXT, any JSON that this service wrote, into POOL; NULL for NULL and
 * for invalid JSON. */
json_t *idv_json_load(const char *text, apr_pool_t *pool);

/* Passes the caller's reference to POOL and returns VALUE, for one-line use. */
json_t *idv_json_own(json_t *value, apr_pool_t *pool);

/* A JSON integer, or null for zero and below (absent times). New reference. */
json_t *idv_json_integer_or_null(apr_int64_t value);

/* The pointer to the member KEY of the object at POINTER; "~" and "/" of the
 * key are escaped (RFC 6901, 3). */
const char *idv_json_pointer_member(const char *pointer, const char *key,
                                    apr_pool_t *pool);

/* The pointer to the element INDEX (from 0) of the array at POINTER. */
const char *idv_json_pointer_element(const char *pointer, apr_size_t index,
                                     apr_pool_t *pool);

#endif
