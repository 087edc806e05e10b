/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_X509_CERTIFICATE_H
#define IDV_METHODS_TRUST_X509_CERTIFICATE_H

/*
 * Certificates decoded by OpenSSL (RFC 5280), shared by the code for trust
 * lists, signers of mobile documents, revocation lists and reader identities.
 * Those of passports are decoded without OpenSSL
 * (methods/passport/certificate.h), except for the addresses of their
 * revocation lists.
 *
 * Memory: the pool. Threads: pure. Failures: an empty value (NULL or 0);
 * OpenSSL's error queue is left empty.
 */
#include <openssl/x509.h>

#include "core/clock.h"
#include "core/crypto.h"

#define IDV_X509_MAX 16384       /* bytes of a certificate */
#define IDV_CRL_ADDRESSES_MAX 4  /* maximum taken from one */
#define IDV_CRL_ADDRESS_MAX 1024 /* bytes of each */

/* The certificate of exactly these bytes, freed with POOL; NULL if they are not
 * one, or more than IDV_X509_MAX. */
X509 *idv_x509_read(idv_bytes_t der, apr_pool_t *pool);

/* Non-zero if CERTIFICATE is valid at NOW by its dates. */
int idv_x509_is_valid_at(const X509 *certificate, idv_time_t now);

/* TIME; 0 if it is invalid. */
idv_time_t idv_x509_time(const ASN1_TIME *time);

/* The SHA-256 of DER, hexadecimal. */
const char *idv_x509_fingerprint(idv_bytes_t der, apr_pool_t *pool);

/* Extracts the addresses, http or https and of printable characters, from the
 * extension cRLDistributionPoints (RFC 5280, 4.2.1.13), whose DER value is
 * POINTS; returns how many. Others are ignored. */
int idv_x509_crl_addresses(idv_bytes_t points,
                           const char *addresses[IDV_CRL_ADDRESSES_MAX],
                           apr_pool_t *pool);

#endif
