/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_REVOCATION_LIST_H
#define IDV_METHODS_MDL_REVOCATION_LIST_H

/*
 * Looks up certificates and documents in the revocation lists of issuers:
 * certificate revocation lists (RFC 5280, 5) and token status lists as CWT
 * (Token Status List, draft 18; ISO/IEC 18013-5, second edition, 12.3.6.3).
 *
 * There are three answers; the third is for everything uncertain: a list that
 * is malformed, another issuer's, out of date, not signed by the issuing
 * authority or a signer that it has certified, or whose value has no meaning
 * here, is UNKNOWN, never "revoked".
 *
 * - A CRL: version 2 or 1, signed by an authority with the name of the CRL's
 *   issuer, nextUpdate not passed. A delta CRL, one for certificates of
 *   authorities only, an indirect one, and any other critical extension are
 *   uncertain. A certificate that was removed from the list again is good.
 * - A status list: type "application/statuslist+cwt", `sub` the address from
 *   which it came, `exp` not passed; signed by a valid certificate in the
 *   x5chain that is the authority's or certified by it. Statuses: 0 is good; 1
 *   (invalid) and 2 (suspended) are revoked; others, and entries beyond the end
 *   of the list, are uncertain.
 *
 * - An identifier list (12.3.6.4): the same with the type
 *   "application/identifierlist+cwt", and without a status list. Listed
 *   identifiers are revoked, others are good. A list with more identifiers than
 *   a map may have members (cbor.h) is uncertain.
 *
 * Limits: IDV_REVOCATION_LIST_MAX bytes of a CRL, and of a decompressed status
 * list, which is decompressed only after its signature was checked; before
 * that, those of cbor.h. Memory: the pool. Threads: pure. Failures: only of
 * idv_crl_read(); elsewhere they are UNKNOWN.
 */
#include "core/clock.h"
#include "core/crypto.h"
#include "domain/trust/revocation.h"

#define IDV_REVOCATION_LIST_MAX (4 * 1024 * 1024)

/* Who is trusted to sign lists, and at what time. */
typedef struct {
    const idv_bytes_t *authorities; /* certificates, DER */
    int authority_count;
    idv_time_t now;
} idv_revocation_trust_t;

/* A certificate revocation list of an operator. */
typedef struct {
    idv_bytes_t der;
    idv_time_t issued;
    idv_time_t next_update; /* 0: not stated */
    int revoked;            /* entries */
    const char *issuer;     /* its name as in RFC 2253; NULL: not UTF-8 */
} idv_crl_t;

/* Reads the list in FILE, DER or PEM; `parameter_invalid` for anything else. */
idv_error_t *idv_crl_read(idv_bytes_t file, idv_crl_t *crl,
                          apr_pool_t *pool) IDV_CHECKED;

/* Why the list DER is unusable under TRUST, as the rest of a sentence ("is
 * ..."); NULL if it is usable. */
const char *idv_crl_fault(idv_bytes_t der, const idv_revocation_trust_t *trust,
                          apr_pool_t *pool);

/* Non-zero if the issuer of the list DER is the subject of the certificate
 * AUTHORITY: the renewed keys of an authority share one list. */
int idv_crl_names(idv_bytes_t der, idv_bytes_t authority, apr_pool_t *pool);

/* The status in CRL of the certificate with the SERIAL number, hexadecimal,
 * issued by one of the authorities. */
idv_revocation_t idv_crl_says(idv_bytes_t crl, const char *serial,
                              const idv_revocation_trust_t *trust,
                              apr_pool_t *pool);

/* The status of entry INDEX in the status list LIST, which came from
 * ADDRESS. */
idv_revocation_t idv_status_list_says(idv_bytes_t list, const char *address,
                                      apr_int64_t index,
                                      const idv_revocation_trust_t *trust,
                                      apr_pool_t *pool);

/* The status of IDENTIFIER in the identifier list LIST, which came from
 * ADDRESS. */
idv_revocation_t idv_identifier_list_says(idv_bytes_t list, const char *address,
                                          idv_bytes_t identifier,
                                          const idv_revocation_trust_t *trust,
                                          apr_pool_t *pool);

/* The time when a copy of LIST, of any kind, fetched at FETCHED, has to be
 * fetched again by its own unverified statement (nextUpdate; ttl, exp): at
 * least a minute and at most a day after FETCHED. */
idv_time_t idv_revocation_list_fresh_until(idv_bytes_t list, idv_time_t fetched,
                                           apr_pool_t *pool);

#endif
