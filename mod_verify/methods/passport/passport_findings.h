/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PASSPORT_FINDINGS_H
#define IDV_METHODS_PASSPORT_PASSPORT_FINDINGS_H

/*
 * Findings: the results of the sandboxed reader for the chip of a passport, and
 * their JSON format. This is the only writer and the only reader of that
 * format.
 *
 * The reader trusts nothing, because the writer may have been taken over by its
 * input: size, types, codes and dates are checked, an unknown or missing key is
 * an error, and so is a contradiction (a chain that passed without a CSCA, a
 * reason of another check, a check that only the decision makes). The caller,
 * who knows the operator's list, checks that the CSCA is on it by the
 * fingerprint in the findings.
 *
 *   { "readable": bool, "hint": code|null,
 *     "zone": findings of document_findings.h | null,
 *     "checks": [ { "name", "reason": code|null } ],
 *     "signer": CERTIFICATE|null, "csca": CERTIFICATE|null,
 *     "crl_addresses": [ text ],
 *     "portrait": { "format", "offset", "length", "width", "height" } | null,
 *     "reader": text|null, "milliseconds": number }
 *
 *   CERTIFICATE: { "country": code|null, "serial", "fingerprint",
 *     "not_before", "not_after": Unix milliseconds, "source": text|null }
 *
 * Memory: the result pool, which then holds personal data. Threads: pure.
 */
#include "core/clock.h"
#include "methods/document/document.h"
#include "methods/passport/passport_checks.h"
#include "methods/passport/portrait.h"
#include "methods/trust/x509_certificate.h"

/* Bytes of the longest findings. */
#define IDV_PASSPORT_FINDINGS_MAX 65536

/* Why the chip has to be read again: X(name, code). */
#define IDV_PASSPORT_HINTS(X)                                                  \
    X(CHIP_INCOMPLETE, "chip_incomplete")                                      \
    X(CHIP_UNREADABLE, "chip_unreadable")                                      \
    X(ANALYSIS_FAILED, "analysis_failed")

typedef enum {
    IDV_PASSPORT_HINT_NONE,
#define X(name, code) IDV_PASSPORT_HINT_##name,
    IDV_PASSPORT_HINTS(X)
#undef X
        IDV_PASSPORT_HINT_COUNT
} idv_passport_hint_t;

/* A certificate that the result depends on. */
typedef struct {
    const char *country;     /* two capitals; NULL: not stated */
    const char *serial;      /* hexadecimal digits in lower case */
    const char *fingerprint; /* SHA-256 of the certificate, the same */
    idv_time_t not_before;
    idv_time_t not_after;
    const char *source; /* of a CSCA: the list it came from; else NULL */
} idv_passport_certificate_t;

typedef struct {
    int readable;             /* if set, there is a document and no hint */
    idv_passport_hint_t hint; /* NONE exactly if readable */
    const idv_document_t *document; /* of DG1, with the century from DG11 */
    idv_passport_checks_t checks;   /* the checks made while reading */
    const idv_passport_certificate_t *signer; /* NULL: none */
    const idv_passport_certificate_t *csca;   /* NULL: unknown */
    /* Where the signer says that its revocation is published; untrusted if
     * there is no CSCA. */
    const char *crl_addresses[IDV_CRL_ADDRESSES_MAX];
    int crl_address_count;
    idv_portrait_t portrait;                  /* length 0: none */
    const char *reader;  /* name of the reading software; NULL: not named */
    double milliseconds; /* spent on reading */
} idv_passport_findings_t;

/* The code of a hint; NULL for NONE. */
const char *idv_passport_hint_code(idv_passport_hint_t hint);

/* Writes findings as compact JSON. */
idv_error_t *
idv_passport_findings_write(const idv_passport_findings_t *findings,
                            const char **text, apr_size_t *length,
                            apr_pool_t *pool) IDV_CHECKED;

/* Parses the output of the sandboxed child; any deviation from the format is an
 * internal error that names the place and never a value. */
idv_error_t *idv_passport_findings_read(const char *text, apr_size_t length,
                                        idv_passport_findings_t **findings,
                                        apr_pool_t *result) IDV_CHECKED;

#endif
