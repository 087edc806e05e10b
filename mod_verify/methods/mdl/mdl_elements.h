/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_ELEMENTS_H
#define IDV_METHODS_MDL_MDL_ELEMENTS_H

/*
 * The elements of a mobile document: those that were asked for and no others,
 * and what they say, ISO/IEC 18013-5, 7.2 and table 5.
 *
 * Of age_over_NN a wallet answers what it has (7.2.5): a statement that is true
 * for a higher age, or false for a lower one, answers the question too. Only
 * what the issuer signed is read; what the device signs is a claim of the
 * holder.
 *
 * Memory: what is read points into the document's tree. Threads: pure. Nothing
 * fails; what is wrong is recorded in the findings.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"
#include "methods/mdl/mdoc.h"

/* Non-zero, and the years in *YEARS, for the name of an element age_over_NN. */
int idv_mdl_age_element(const char *element, int *years);

/* Compares ITEMS (of idv_mdoc_item_t) with what QUERY asked for. */
void idv_mdl_match_elements(const apr_array_header_t *items,
                            const idv_mdl_query_t *query,
                            idv_mdl_findings_t *findings);

/* Reads ITEMS into PERSON and the ages into FINDINGS, and records whether each
 * is of its type. */
void idv_mdl_read_elements(const apr_array_header_t *items,
                           idv_mdl_findings_t *findings,
                           idv_mdl_person_t *person, apr_pool_t *pool);

#endif
