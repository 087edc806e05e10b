/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_COMPARISON_H
#define IDV_ANALYZE_DOCUMENT_COMPARISON_H

/*
 * Whether two codes of one submission speak of the same document.
 *
 * Codes write names differently: a machine-readable zone transliterates and
 * truncates (ICAO Doc 9303-3, 4.6 and 6), a barcode does not. So surnames are
 * compared by their letters only, any other than A to Z stands for one to three
 * of these, and one name may be the beginning of the other. Dates must agree
 * where both codes have them. Numbers are not compared between codes of
 * different kinds: cards with a zone and a barcode often number the two
 * differently.
 */
#include "methods/document/document_findings.h"

/* NOT_COMPARED when they share too little: no date of birth on one of them. */
idv_document_comparison_t idv_document_compare(const idv_document_t *a,
                                               const idv_document_t *b);

/* Non-zero when B, besides matching A, says the same of all that both kinds of
 * code have: issuing country, names, the day of birth and of expiry, each of which
 * has to be there, and no other sex. What one leaves open confirms nothing. */
int idv_document_confirms(const idv_document_t *a, const idv_document_t *b);

#endif
