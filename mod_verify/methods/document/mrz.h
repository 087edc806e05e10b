/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_H
#define IDV_METHODS_DOCUMENT_MRZ_H

/*
 * Parses the rows of a machine-readable zone into a document, by ICAO Doc
 * 9303-3 (section 4: characters, names, dates; section 5: states) and the data
 * elements of parts 4 to 7.
 *
 * Faults of the text are checks of the document, each with its reason. Memory:
 * the result pool, personal data. Threads: pure. Failures: only lack of memory.
 */
#include "methods/document/mrz_layout.h"

/*
 * The document of TEXT. Wrong check digits, characters, codes and dates are
 * checks that did not pass, not errors. NOW determines centuries:
 *
 * - An expiry is from 30 years before to 50 years after NOW (9303-3, 4.8,
 *   leaves centuries to the reader).
 * - A birth is in the latest possible year. If a person born a century earlier
 *   may be alive (up to 112 years), the document has both dates and its age is
 *   open. So by the zone alone a child of up to 12 is `age_undetermined`, not
 *   `under_age`: 24 is the year of birth of a child and of a person of 102, who
 *   must not be refused for good. The expiry, a printed date with a four-digit
 *   year, or a chip decides; without them a reviewer does. A date up to a month
 *   after NOW also remains possible; it is not simply moved back a century.
 *
 * A date of birth may be partial or missing, also by zeros, and the nationality
 * of a resident may be blank; neither is a failure here. Names decide no age
 * and no check digit covers them, so names of a wrong form are a doubt, and a
 * missing surname is a note: many states write the only name of a person as the
 * secondary identifier (`P<IND<<ALEXIS`).
 */
idv_error_t *idv_mrz_parse(const idv_mrz_text_t *text, idv_time_t now,
                           idv_document_t **document,
                           apr_pool_t *result) IDV_CHECKED;

#endif
