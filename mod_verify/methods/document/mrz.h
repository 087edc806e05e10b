/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_H
#define IDV_METHODS_DOCUMENT_MRZ_H

/*
 * From the rows of a machine-readable zone to a document, by ICAO Doc 9303-3
 * (section 4: characters, names, dates; section 5: states) and the data
 * elements of parts 4 to 7.
 *
 * Whatever is wrong with the text stands in the document's checks with its
 * reason. Memory: the result pool, personal data. Threads: pure. Failures: for
 * lack of memory alone.
 */
#include "methods/document/mrz_layout.h"

/* The document of TEXT. Wrong check digits, characters, codes and dates are
 * checks that did not pass, not errors. NOW settles centuries: a birth lies in
 * the past, in the latest year that does; an expiry from 30 years before to 50
 * years after (9303-3, 4.8, leaves both to the reader). A date of birth may be
 * open in part or in whole, and the nationality of a resident may be blank;
 * neither is a failure here. */
idv_error_t *idv_mrz_parse(const idv_mrz_text_t *text, idv_time_t now,
                           idv_document_t **document,
                           apr_pool_t *result) IDV_CHECKED;

#endif
