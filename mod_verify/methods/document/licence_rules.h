/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_LICENCE_RULES_H
#define IDV_METHODS_DOCUMENT_LICENCE_RULES_H

/*
 * What is publicly known of how states number and date their driver's licences, held
 * against one: number_formats.def, number_holders.def, licence_terms.def, each with
 * its sources.
 *
 * No state has published all of this, persons change their names and keep their
 * numbers, and a forger can read the tables. So only a form on which two lists agree
 * and a term that no state ever gave fail a document; everything else leaves a
 * doubt, and where nothing is known the check is undetermined and leaves none.
 *
 * Memory: none is kept. Threads: pure. Nothing fails.
 */
#include "methods/document/document.h"

/* Adds validity_term to the checks of DOCUMENT, which is of any kind, and for a
 * licence with a number document_number_format and document_number_holder. TODAY
 * is the date of the decision: a passport's zone does not tell its issue, so its
 * term is counted from there. */
void idv_licence_rules_check(idv_document_t *document, idv_date_t today);

#endif
