/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_AAMVA_TRACKS_H
#define IDV_METHODS_DOCUMENT_AAMVA_TRACKS_H

/*
 * Converts the tracks of a magnetic stripe, which British Columbia prints as a
 * PDF417 symbol, into the data elements of annex D.
 *
 *   %BCVICTORIA^SAMPLE,$ALEXIS QUINN^1 TEST ST$VICTORIA BC  V8V 1A1^?
 *   ;6360281234567=280319750307=?
 *   %0AV8V1A1                     F165 60BROBLU1234567890 ... ?
 *
 *   track  fields in their order (characters; ^ and = end those that vary)
 *   1      jurisdiction (2), city (13^), name (35^), address (^)
 *   2      issuer (6), number (13=), expiry YYMM (4), birth CCYYMMDD (8), more of
 *          the number (5=)
 *   3      versions (2), postal code (11), class (2), restrictions (10),
 *          endorsements (4), sex (1), height (3), weight (3), hair (3), eyes (3)
 *
 * Source: AAMVA DL/ID Card Design Standard of 2005 and later, annex F (optional
 * magnetic stripe), where a month of expiry of 77 means no expiry, 99 the month
 * and day of birth, 88 the last day of the month of birth. A city of 13
 * characters has no ^ after it.
 *
 * Memory: the result pool, personal data. Threads: pure. Failures: none; other
 * bytes are not tracks.
 */
#include "methods/document/aamva_data.h"

/* Fills FILE from PAYLOAD as version 1 of the payload and a licence. Zero if
 * there are no tracks. */
int idv_aamva_tracks_read(idv_bytes_t payload, idv_aamva_file_t *file,
                          apr_pool_t *result);

#endif
