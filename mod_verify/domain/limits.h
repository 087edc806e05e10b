/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LIMITS_H
#define IDV_DOMAIN_LIMITS_H

/*
 * The limits of the interface in one place, and the checks of typed request
 * parameters that go with them. Lengths count Unicode characters. Every check
 * answers `parameter_invalid` with the path it was given, and never repeats
 * the offending value. Memory: results borrow from the JSON. Threads: pure.
 */
#include "core/json.h"
#include "core/utf8.h"

#define IDV_METADATA_PAIRS_MAX 50
#define IDV_METADATA_KEY_MAX 40
#define IDV_METADATA_VALUE_MAX 500
#define IDV_CLIENT_REFERENCE_ID_MAX 255
#define IDV_CUSTOM_USER_MESSAGE_MAX 500
#define IDV_URL_MAX 2048
#define IDV_TOKEN_MAX 4096          /* captcha_token */
#define IDV_TOKEN_TEXT_MAX 65536    /* for a vp_token: any that a body holds */
#define IDV_CREDENTIAL_HASH_MAX 255
#define IDV_ENDPOINT_NAME_MAX 100
#define IDV_ENDPOINT_DESCRIPTION_MAX 500
#define IDV_REVIEW_REASON_MAX 500
#define IDV_REVIEWER_MAX 255

/* VALUE as a string of MIN to MAX characters. */
idv_error_t *idv_param_string(const json_t *value, const char *param,
                              apr_size_t min, apr_size_t max, const char **out,
                              apr_pool_t *pool) IDV_CHECKED;

/* VALUE as true or false. */
idv_error_t *idv_param_boolean(const json_t *value, const char *param, int *out,
                               apr_pool_t *pool) IDV_CHECKED;

/* VALUE as metadata: an object of at most 50 strings. Faults are reported at
 * `<param>.<key>`, in document order. */
idv_error_t *idv_param_metadata(const json_t *value, const char *param,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
