/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_URL_H
#define IDV_DOMAIN_VALUE_URL_H

/*
 * The URLs that customers and administrators give: RFC 3986, absolute, ASCII
 * (other characters are percent-encoded, host names are A-labels), with a host,
 * without user information, at most IDV_URL_MAX characters. What is not clearly
 * such a URL is refused: browsers and curl must not be able to read it
 * differently. idv_url_normalize() also takes internationalized host names and
 * converts them (host_name.h).
 *
 * This looks at the text only. Whether a webhook may be sent to an address is
 * decided by out/address_guard.h: of a host that is an address, when it is
 * given; of every host, when it is dialled.
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
    /* As IDV_URL_REDIRECT, but scheme, host and perhaps port only, written as
     * browsers write the origin of a page (RFC 6454, 6.2). */
    IDV_URL_ORIGIN
} idv_url_use_t;

/* The host of URL, which idv_url_check() has passed: a name as it stands, an IPv6
 * address without its brackets. */
const char *idv_url_host(const char *url, apr_pool_t *pool);

/* The URL TEXT, UTF-8, in the form that idv_url_check() accepts for USE;
 * `parameter_invalid` at PARAM if there is none. */
idv_error_t *idv_url_normalize(const char *text, idv_url_use_t use,
                               const char *param, const char **url,
                               apr_pool_t *pool) IDV_CHECKED;

/* Checks URL for USE; `parameter_invalid` at PARAM otherwise. */
idv_error_t *idv_url_check(const char *url, idv_url_use_t use,
                           const char *param, apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when PORT, the text behind the colon of an authority, is a port: NULL
 * or "" (none is named), or 1 to 65535. Libraries take 99999 for 34463. */
int idv_url_port_is_valid(const char *port);

#endif
