/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_CERTIFICATE_VIEW_H
#define IDV_METHODS_TRUST_CERTIFICATE_VIEW_H

/*
 * A certificate as operators are shown it, in lists of trusted ones and in
 * identities of readers: `fingerprint` (SHA-256, hexadecimal), `subject` (RFC
 * 2253, in UTF-8), `not_before` and `not_after` (Unix seconds). Bytes that are no
 * certificate have the fingerprint alone, and null for the rest.
 *
 * Memory: a new reference; names live in the pool. Threads: pure. Nothing fails.
 */
#include <openssl/x509.h>

#include "core/crypto.h"
#include "core/json.h"

/* NAME as RFC 2253 writes it; NULL when that is no UTF-8. */
const char *idv_certificate_name(const X509_NAME *name, apr_pool_t *pool);

json_t *idv_certificate_view_json(idv_bytes_t der, apr_pool_t *pool);

#endif
