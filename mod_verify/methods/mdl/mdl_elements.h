/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_MDL_ELEMENTS_H
#define IDV_METHODS_MDL_MDL_ELEMENTS_H

/*
 * The elements of a mobile document: checks that they are the requested ones
 * and no others, and reads them, ISO/IEC 18013-5, 7.2 and table 5.
 *
 * For age_over_NN a wallet answers with what it has (7.2.5): a statement that
 * is true for a higher age, or false for a lower one, also answers the
 * question. Only elements signed by the issuer are read; those signed by the
 * device are claims of the holder.
 *
 * Memory: results point into the document's tree. Threads: pure. Nothing fails;
 * faults are recorded in the findings.
 */
#include "methods/mdl/mdl_findings.h"
#include "methods/mdl/mdl_request.h"
#include "methods/mdl/mdoc.h"

/* Compares ITEMS (of idv_mdoc_item_t) with the elements of QUERY. */
void idv_mdl_match_elements(const apr_array_header_t *items,
                            const idv_mdl_query_t *query,
                            idv_mdl_findings_t *findings);

/* Reads ITEMS into PERSON and the ages into FINDINGS, and records whether each
 * has its type. */
void idv_mdl_read_elements(const apr_array_header_t *items,
                           idv_mdl_findings_t *findings,
                           idv_mdl_person_t *person, apr_pool_t *pool);

#endif
