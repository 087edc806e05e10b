/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_QUERY_STRING_H
#define IDV_CORE_QUERY_STRING_H

/*
 * The query of an address, or a form, as a JSON object, by the rules of
 * application/x-www-form-urlencoded (WHATWG URL, 5.1), but strict: a broken
 * percent escape, a NUL, text that is not UTF-8, an empty name or a name given
 * twice is `parameter_invalid`. `name[]=a&name[]=b` is the array `name`.
 *
 * The object is in the order of the text; every value is a string or an array
 * of strings. Memory: the object is owned by the pool. Threads: pure.
 */
#include "core/crypto.h"
#include "core/json.h"

/* At most so many parameters and bytes. */
#define IDV_QUERY_MAX_PARAMETERS 64
#define IDV_QUERY_MAX_LENGTH 8192

/* The parameters of TEXT, which stands behind the `?`; NULL or empty gives an
 * empty object. */
idv_error_t *idv_query_string_parse(const char *text, json_t **out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The parameters of BODY, a form that was sent; its length is the caller's to
 * limit. */
idv_error_t *idv_form_parse(idv_bytes_t body, json_t **out,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
