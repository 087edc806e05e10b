/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_REVOCATION_LIST_H
#define IDV_METHODS_MDL_REVOCATION_LIST_H

/*
 * What the lists of issuers say of a certificate or document: certificate
 * revocation lists (RFC 5280, 5) and token status lists as CWT (Token Status
 * List, draft 18; ISO/IEC 18013-5, second edition, 12.3.6.3).
 *
 * There are three answers, and the third is for everything that is not certain:
 * a list that is malformed, of somebody else, out of date, not signed by the
 * issuing authority or somebody whom it has certified, or whose value has no
 * meaning here, says nothing, and never "revoked".
 *
 * - Of a CRL: version 2 or 1, signed by an authority that has the name of the
 *   CRL's issuer, nextUpdate not passed. A delta, one of certificates of
 *   authorities alone, an indirect one, and any other critical extension are not
 *   certain. A certificate that was removed from the list again is good.
 * - Of a status list: type "application/statuslist+cwt", `sub` the address from
 *   which it came, `exp` not passed; signed by a certificate in the x5chain that
 *   is that of the authority, or certified by it, and valid. Statuses: 0 is good;
 *   1 (invalid) and 2 (suspended) are revoked; others are not certain. What lies
 *   behind the end of the list is not certain.
 *
 * - Of an identifier list (12.3.6.4): the same with the type
 *   "application/identifierlist+cwt", and no status list beside it. Who stands in
 *   it is revoked, others are good. One with more identifiers than a map may have
 *   members (cbor.h) is not certain.
 *
 * Limits: IDV_REVOCATION_LIST_MAX bytes of a CRL, and of what a status list is once
 * it is decompressed, which happens after its signature was checked; before, those
 * of cbor.h.
 * Memory: the pool. Threads: pure. Failures: of idv_crl_read() alone; elsewhere
 * they are UNKNOWN.
 */
#include "core/clock.h"
#include "core/crypto.h"
#include "domain/trust/revocation.h"

#define IDV_REVOCATION_LIST_MAX (4 * 1024 * 1024)

/* Whose lists are believed, and when. */
typedef struct {
    const idv_bytes_t *authorities; /* certificates, DER */
    int authority_count;
    idv_time_t now;
} idv_revocation_trust_t;

/* A certificate revocation list that an operator has. */
typedef struct {
    idv_bytes_t der;
    idv_time_t issued;
    idv_time_t next_update; /* 0: it does not say */
    int revoked;            /* entries */
    const char *issuer;     /* its name, as RFC 2253 writes it; NULL: no UTF-8 */
} idv_crl_t;

/* Reads the list in FILE, DER or PEM; `parameter_invalid` for anything else. */
idv_error_t *idv_crl_read(idv_bytes_t file, idv_crl_t *crl,
                          apr_pool_t *pool) IDV_CHECKED;

/* Why the list DER says nothing under TRUST, as the rest of a sentence ("is
 * ..."); NULL when it does. */
const char *idv_crl_fault(idv_bytes_t der, const idv_revocation_trust_t *trust,
                          apr_pool_t *pool);

/* Non-zero when the list DER names as its issuer what the certificate AUTHORITY
 * names its subject: renewed keys of an authority have one list. */
int idv_crl_names(idv_bytes_t der, idv_bytes_t authority, apr_pool_t *pool);

/* What CRL says of the certificate with the SERIAL number, hexadecimal, which one
 * of the authorities has issued. */
idv_revocation_t idv_crl_says(idv_bytes_t crl, const char *serial,
                              const idv_revocation_trust_t *trust,
                              apr_pool_t *pool);

/* What the status list LIST, which came from ADDRESS, says of entry INDEX. */
idv_revocation_t idv_status_list_says(idv_bytes_t list, const char *address,
                                      apr_int64_t index,
                                      const idv_revocation_trust_t *trust,
                                      apr_pool_t *pool);

/* What the identifier list LIST, which came from ADDRESS, says of IDENTIFIER. */
idv_revocation_t idv_identifier_list_says(idv_bytes_t list, const char *address,
                                          idv_bytes_t identifier,
                                          const idv_revocation_trust_t *trust,
                                          apr_pool_t *pool);

/* Until when a copy of LIST, of any kind, that was fetched at FETCHED need not
 * be fetched again, by what it says itself (nextUpdate; ttl, exp), which nobody
 * has checked: at least a minute and at most a day after FETCHED. */
idv_time_t idv_revocation_list_fresh_until(idv_bytes_t list, idv_time_t fetched,
                                           apr_pool_t *pool);

#endif
