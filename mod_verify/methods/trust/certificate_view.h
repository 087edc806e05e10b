/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_CERTIFICATE_VIEW_H
#define IDV_METHODS_TRUST_CERTIFICATE_VIEW_H

/*
 * A certificate as shown to operators, in lists of trusted ones and in reader
 * identities: `fingerprint` (SHA-256, hexadecimal), `subject` (RFC 2253, in
 * UTF-8), `not_before` and `not_after` (Unix seconds). For bytes that are not a
 * certificate only the fingerprint is set, the rest is null.
 *
 * Memory: a new reference; names live in the pool. Threads: pure. Nothing
 * fails.
 */
#include <openssl/x509.h>

#include "core/crypto.h"
#include "core/json.h"

/* NAME in the form of RFC 2253; NULL if that is not UTF-8. */
const char *idv_certificate_name(const X509_NAME *name, apr_pool_t *pool);

json_t *idv_certificate_view_json(idv_bytes_t der, apr_pool_t *pool);

#endif
