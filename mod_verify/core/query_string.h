/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_QUERY_STRING_H
#define IDV_CORE_QUERY_STRING_H

/*
 * Parses a URL query or a form into a JSON object, by the rules of
 * application/x-www-form-urlencoded (WHATWG URL, 5.1), but strictly: a broken
 * percent escape, a NUL, invalid UTF-8, an empty name or a repeated name is
 * `parameter_invalid`. `name[]=a&name[]=b` is the array `name`.
 *
 * The object keeps the order of the text; every value is a string or an array
 * of strings. Memory: the object is owned by the pool. Threads: pure.
 */
#include "core/crypto.h"
#include "core/json.h"

/* Maximum number of parameters, and bytes. */
#define IDV_QUERY_MAX_PARAMETERS 64
#define IDV_QUERY_MAX_LENGTH 8192

/* The parameters of TEXT, the part after the `?`; NULL or empty gives an empty
 * object. */
idv_error_t *idv_query_string_parse(const char *text, json_t **out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The parameters of BODY, a submitted form; the caller limits its length. */
idv_error_t *idv_form_parse(idv_bytes_t body, json_t **out,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
