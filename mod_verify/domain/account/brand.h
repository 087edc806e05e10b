/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_BRAND_H
#define IDV_DOMAIN_ACCOUNT_BRAND_H

/*
 * The branding of an organization on the widget's page: an object whose members
 * can each be missing or null.
 *
 *   name         the name shown to persons if it differs from the
 *                organization's; 1 to 100 characters
 *   logo         a picture as a data: URI (PNG, SVG, WebP; logo.h), 64 KiB at
 *                most; the page loads nothing from elsewhere
 *   accent       "#rrggbb" for buttons and marks; white letters on it have a
 *                contrast of 4.5:1 or more (WCAG 2.2, 1.4.3)
 *   support      where persons get help: https:, mailto: or tel:
 *   privacy_url  https:, the organization's privacy notice; like an https:
 *                address of support, by the rule for return_url (value/url.h)
 *   theme        light, dark or auto
 *   background   "#rrggbb" behind the text in the light theme; the text, and the
 *                accent, have enough contrast with it
 *   font         system, serif or rounded
 *   radius       none, small or large: how round corners are
 *   density      comfortable or compact
 *   wording      {language: {key: text}} for the keys of brand_wording.def, which
 *                are never about consent; lines of 1 to 200 characters, 8 KiB
 *                together
 *   controller   the data controller with an address, as named in the consent;
 *                1 to 300 characters
 *   operator     the operator of the service, likewise; 1 to 300 characters
 *   result_days  how long the organization keeps a result, 1 to 36500 days; it
 *                is only shown to persons, not enforced
 *
 * Branding belongs to the organization and is never taken from a page's URL, so
 * that nobody can make the page look like another organization's.
 *
 * Memory: the given pool. Threads: pure. Failures: parameter_invalid at the
 * member.
 */
#include "core/crypto.h"
#include "core/json.h"

/* Maximum size of a logo file in bytes. */
#define IDV_BRAND_LOGO_MAX 49152
#define IDV_BRAND_RESULT_DAYS_MAX 36500

/* Checks BRAND; the error names the first wrong or unknown member. */
idv_error_t *idv_brand_check(const json_t *brand, apr_pool_t *pool) IDV_CHECKED;

/* The logo in BYTES as a data: URI; an error if BYTES is not a valid logo. */
idv_error_t *idv_brand_logo(idv_bytes_t bytes, const char **uri,
                            apr_pool_t *pool) IDV_CHECKED;

/* The contrast (1 to 21) of white letters on "#rrggbb"; 0 for anything else. */
double idv_brand_contrast(const char *accent);

#endif
