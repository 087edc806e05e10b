/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_IDENTIFIER_H
#define IDV_DOMAIN_VALUE_IDENTIFIER_H

/*
 * The one written form of an e-mail address and of a phone number, and the HMAC
 * by which these and others that must not be kept as text are known: of both
 * spellings of a person's address it is the same.
 *
 * E-mail: white space around it trimmed, the domain in lower case and IDNA
 * form (RFC 5891, UTS 46 mapping), the local part lower-cased (ASCII letters).
 * A dot-atom local part of at most 64 bytes, a domain of at least two labels,
 * 254 bytes in all (RFC 5321, 4.5.3.1); quoted local parts and address
 * literals are refused. Phone: E.164 after removing spaces, hyphens, dots,
 * slashes and parentheses: `+` and 7 to 15 digits, the first not 0.
 *
 * Failures: `parameter_invalid` at PARAM, without the value. Memory: results live
 * in the given pool. Threads: pure.
 */
#include "core/keyring.h"

/* The one form of the e-mail address TEXT, in POOL. */
idv_error_t *idv_email_normalize(const char *text, const char *param,
                                 const char **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The one form of the phone number TEXT, in POOL. */
idv_error_t *idv_phone_normalize(const char *text, const char *param,
                                 const char **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The HMAC by which a normalized TEXT of some KIND is known: "email", "phone",
 * and other kinds of what must not be kept as text. No data for NULL. */
idv_bytes_t idv_identifier_digest(const idv_keyring_t *keyring,
                                  const char *kind, const char *text,
                                  apr_pool_t *pool);

#endif
