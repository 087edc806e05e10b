/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_BRAND_H
#define IDV_DOMAIN_ACCOUNT_BRAND_H

/*
 * What persons see of an organization on the widget's page, as an object whose
 * members may each be missing or null:
 *
 *   name         what it calls itself to persons, where that is not its name;
 *                1 to 100 characters
 *   logo         a picture as a data: URI (PNG, SVG, WebP), 64 KiB at most; the
 *                page loads nothing from elsewhere
 *   accent       "#rrggbb", of buttons and marks; white letters on it have a
 *                contrast of 4.5:1 or more (WCAG 2.2, 1.4.3)
 *   support      where persons ask for help: https:, mailto: or tel:
 *   privacy_url  https:, its own information for persons
 *   theme        light, dark or auto
 *   controller   who answers for the processing, with an address, as the consent
 *                names it; 1 to 300 characters
 *   operator     who runs the service, likewise; 1 to 300 characters
 *   result_days  how long the organization keeps a result, 1 to 36500 days: what
 *                persons are told of it, which nothing here carries out
 *
 * It belongs to the organization and never comes with a page's address, so that
 * nobody can dress the page up as somebody else's.
 *
 * Memory: the given pool. Threads: pure. Failures: parameter_invalid at the
 * member.
 */
#include "core/crypto.h"
#include "core/json.h"

/* Bytes of a logo's file. */
#define IDV_BRAND_LOGO_MAX 49152
#define IDV_BRAND_RESULT_DAYS_MAX 36500

/* Checks BRAND; the first member that is wrong or unknown is the error. */
idv_error_t *idv_brand_check(const json_t *brand, apr_pool_t *pool) IDV_CHECKED;

/* The logo in BYTES as a data: URI; what is none is the error. */
idv_error_t *idv_brand_logo(idv_bytes_t bytes, const char **uri,
                            apr_pool_t *pool) IDV_CHECKED;

/* The contrast (1 to 21) of white letters on "#rrggbb"; 0 for anything else. */
double idv_brand_contrast(const char *accent);

#endif
