/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_X509_CERTIFICATE_H
#define IDV_METHODS_TRUST_X509_CERTIFICATE_H

/*
 * Certificates as OpenSSL decodes them (RFC 5280): what the readers of trust
 * lists, of signers of mobile documents, of revocation lists and of readers'
 * identities share. Those of passports are decoded without OpenSSL
 * (methods/passport/certificate.h), except for the addresses of their lists.
 *
 * Memory: the pool. Threads: pure. Failures: a value that is none, and nothing
 * left in OpenSSL's queue of errors.
 */
#include <openssl/x509.h>

#include "core/clock.h"
#include "core/crypto.h"

#define IDV_X509_MAX 16384       /* bytes of a certificate */
#define IDV_CRL_ADDRESSES_MAX 4  /* that are read out of one */
#define IDV_CRL_ADDRESS_MAX 1024 /* bytes of each */

/* The certificate of exactly these bytes, freed with POOL; NULL when they are
 * none, or more than IDV_X509_MAX. */
X509 *idv_x509_read(idv_bytes_t der, apr_pool_t *pool);

/* Non-zero when CERTIFICATE has begun and not ended at NOW. */
int idv_x509_is_valid_at(const X509 *certificate, idv_time_t now);

/* TIME; 0 when it is none. */
idv_time_t idv_x509_time(const ASN1_TIME *time);

/* The SHA-256 of DER, hexadecimal. */
const char *idv_x509_fingerprint(idv_bytes_t der, apr_pool_t *pool);

/* The addresses, http or https and of printable characters, in the extension
 * cRLDistributionPoints (RFC 5280, 4.2.1.13), POINTS its value in DER; how many.
 * Others are passed over. */
int idv_x509_crl_addresses(idv_bytes_t points,
                           const char *addresses[IDV_CRL_ADDRESSES_MAX],
                           apr_pool_t *pool);

#endif
