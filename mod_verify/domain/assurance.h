/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ASSURANCE_H
#define IDV_DOMAIN_ASSURANCE_H

/*
 * What the evidence of a result is worth, weakest first. The order of the list
 * is the ranking.
 *
 * - decoded: a code was read and contradicts itself nowhere. AAMVA barcodes and
 *   machine-readable zones are not signed: who forges one needs a generator of
 *   barcodes and a screen. The age is what the code states.
 * - consistent: two codes of the document that stand for themselves, a barcode
 *   and a machine-readable zone, agree. Who forges that makes both, and knows
 *   how each writes the same person. `identity_verified` begins here.
 * - signed: the issuer's signature over the data was checked. A forger needs
 *   the issuer's key, a thief the document.
 * - signed_and_present: the same, and a live person was matched with the
 *   portrait that is signed.
 *
 * Each level has a ceiling for `confidence`, which is how sure the reading was
 * (0 to 1) times the ceiling: a perfectly read barcode is still a barcode.
 *
 * Constant data; pure.
 */
#include <apr_pools.h>

#include "core/error.h"

/* Name, value, ceiling of the confidence. */
#define IDV_ASSURANCES(X)                                                      \
    X(DECODED, "decoded", 0.5)                                                 \
    X(CONSISTENT, "consistent", 0.75)                                          \
    X(SIGNED, "signed", 0.95)                                                  \
    X(SIGNED_AND_PRESENT, "signed_and_present", 1.0)

typedef enum {
    IDV_ASSURANCE_NONE, /* nothing was read, or nothing is demanded */
#define X(name, value, ceiling) IDV_ASSURANCE_##name,
    IDV_ASSURANCES(X)
#undef X
    IDV_ASSURANCE_COUNT
} idv_assurance_t;

/* The value in the interface; NULL for none. */
const char *idv_assurance_value(idv_assurance_t assurance);

/* The assurance named VALUE; IDV_ASSURANCE_NONE for NULL and anything else. */
idv_assurance_t idv_assurance_parse(const char *value);

/* The confidence of evidence of this worth that was read with the confidence
 * READING, 0 to 1; three decimals. 0 for none. */
double idv_assurance_confidence(idv_assurance_t assurance, double reading);

/* Non-zero when evidence of this worth says who somebody is. */
int idv_assurance_identifies(idv_assurance_t assurance);

#endif
