/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_URL_H
#define IDV_DOMAIN_VALUE_URL_H

/*
 * URLs given by customers and administrators: RFC 3986, absolute, ASCII (other
 * characters percent-encoded, host names as A-labels), with a host, without
 * user information, at most IDV_URL_MAX characters. Ambiguous URLs are refused,
 * so that browsers and curl cannot parse them differently. idv_url_normalize()
 * also accepts internationalized host names and converts them (host_name.h).
 *
 * This checks only the text. out/address_guard.h decides whether a webhook may
 * be sent to an address: for a literal address when it is given, for every host
 * when it is dialled.
 *
 * Memory: results live in the given pool. Threads: pure. Failures:
 * `parameter_invalid`, without the URL.
 */
#include "core/error.h"

#define IDV_URL_MAX 2048 /* characters */

typedef enum {
    /* `https`, or `http` to a loopback host: return_url, cancel_url. */
    IDV_URL_REDIRECT,
    /* `https` without a fragment: webhook endpoints. */
    IDV_URL_WEBHOOK,
    /* Like IDV_URL_REDIRECT, but only scheme, host and optional port, written
     * like the origin of a page (RFC 6454, 6.2). */
    IDV_URL_ORIGIN
} idv_url_use_t;

/* The host of URL, which must have passed idv_url_check(): a name unchanged, an
 * IPv6 address without brackets. */
const char *idv_url_host(const char *url, apr_pool_t *pool);

/* TEXT (UTF-8) converted to the form that idv_url_check() accepts for USE;
 * `parameter_invalid` at PARAM if there is none. */
idv_error_t *idv_url_normalize(const char *text, idv_url_use_t use,
                               const char *param, const char **url,
                               apr_pool_t *pool) IDV_CHECKED;

/* Checks URL for USE; `parameter_invalid` at PARAM otherwise. */
idv_error_t *idv_url_check(const char *url, idv_url_use_t use,
                           const char *param, apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if PORT, the text after the colon of an authority, is valid: NULL or
 * "" (no port), or 1 to 65535. Libraries read 99999 as 34463. */
int idv_url_port_is_valid(const char *port);

#endif
