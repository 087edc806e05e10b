/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_BEARER_TOKEN_H
#define IDV_CORE_BEARER_TOKEN_H

/*
 * The Bearer token in the value of an Authorization header: RFC 6750, 2.1, with
 * the name of the scheme in any case (RFC 9110, 11.1). Pure.
 */

#define IDV_BEARER_TOKEN_MAX 512 /* characters; keys and secrets have fewer */

/* The token within VALUE, up to its end; NULL for another scheme, for no token,
 * for one that is longer, and for one with a character that tokens do not have.
 * VALUE may be NULL: no header. */
const char *idv_bearer_token_parse(const char *value);

#endif
