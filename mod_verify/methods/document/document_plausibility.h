/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_DOCUMENT_PLAUSIBILITY_H
#define IDV_METHODS_DOCUMENT_DOCUMENT_PLAUSIBILITY_H

/*
 * What no issuer ever issued: persons older than anybody, licences for
 * children, terms that no state grants, numbers that a state does not give.
 *
 * Nothing here proves a document, since a forger can read this list; it ends
 * the ones made without care. Each bound leaves room above the law as it is
 * known, so that no true document fails by it. Pure.
 */
#include "methods/document/document.h"

/* Nobody is known to have reached more completed years than 122; who is 120
 * shows a document in person. */
#define IDV_DOCUMENT_AGE_MAX 120

/* Adds the checks date_of_birth, validity_term and document_number_format to
 * DOCUMENT. YOUNGEST is the least age in completed years that its date of birth
 * allows, or -1; TODAY the day of the decision. */
void idv_document_check_plausibility(idv_document_t *document, int youngest,
                                     idv_date_t today);

#endif
