/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_LICENCE_RULES_H
#define IDV_METHODS_DOCUMENT_LICENCE_RULES_H

/*
 * Checks driver's licences against public knowledge of how states number and
 * date them: number_formats.def, number_holders.def, licence_terms.def, each
 * with its sources.
 *
 * No state has published all of this, persons change their names and keep their
 * numbers, and a forger can read the tables. So a document fails only for a
 * form on which two lists agree and for a term that no state ever gave.
 * Everything else leaves a doubt. If nothing is known, the check is
 * undetermined and leaves none.
 *
 * Memory: none is kept. Threads: pure. Nothing fails.
 */
#include "methods/document/document.h"

/* Adds validity_term to the checks of DOCUMENT, of any kind, and for a licence
 * with a number document_number_format and document_number_holder. TODAY is the
 * date of the decision: a passport's zone does not contain its date of issue,
 * so its term is counted from TODAY. */
void idv_licence_rules_check(idv_document_t *document, idv_date_t today);

#endif
