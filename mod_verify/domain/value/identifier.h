/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_IDENTIFIER_H
#define IDV_DOMAIN_VALUE_IDENTIFIER_H

/*
 * The normal forms of e-mail addresses and phone numbers, and the HMAC that
 * identifies these and other values that must not be stored as text: all
 * spellings of an address have the same HMAC.
 *
 * E-mail: surrounding white space is trimmed, the domain is in lower case and
 * IDNA form (RFC 5891, UTS 46 mapping), the local part is lower-cased (ASCII
 * letters). Accepted are dot-atom local parts of at most 64 bytes, domains of
 * at least two labels, 254 bytes in all (RFC 5321, 4.5.3.1); quoted local parts
 * and address literals are refused. Phone: E.164 after removing spaces,
 * hyphens, dots, slashes and parentheses: `+` and 7 to 15 digits, the first not
 * 0.
 *
 * Failures: `parameter_invalid` at PARAM, without the value. Memory: results
 * live in the given pool. Threads: pure.
 */
#include "core/keyring.h"

/* The normal form of the e-mail address TEXT, in POOL. */
idv_error_t *idv_email_normalize(const char *text, const char *param,
                                 const char **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The normal form of the phone number TEXT, in POOL. */
idv_error_t *idv_phone_normalize(const char *text, const char *param,
                                 const char **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The HMAC that identifies a normalized TEXT of KIND: "email", "phone", and
 * other kinds that must not be stored as text. No data for NULL. */
idv_bytes_t idv_identifier_digest(const idv_keyring_t *keyring,
                                  const char *kind, const char *text,
                                  apr_pool_t *pool);

#endif
