/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_LICENCE_H
#define IDV_METHODS_DOCUMENT_MRZ_LICENCE_H

/*
 * The machine-readable zones of European driving licences. They have no date of
 * birth, so they cannot prove an age. The zone is recognized only to tell the
 * person that this kind of document cannot be read.
 *
 *     D1FRA13AA000026181231MARTIN<<9
 *         France: number (9), digit of all before it, expiry (YYMMDD), surname (8),
 *         digit of all before it
 *     D1NLD15094962111659VW87Z78NB84
 *         the Netherlands: version, number (10), data of the issuer's choice (13),
 *         digit of all before it
 *     FACHE305142128097<<800126<<<<<
 *         Switzerland: the second of rows of 9, 30 and 30, without a digit that
 *         checks another
 *
 * Sources: ISO/IEC 18013-3, which Regulation (EU) 383/2012 prescribes for
 * licences with a chip (D, the configuration of access protection, 27
 * characters, a check digit), for France the specimen of the licence of 2013,
 * for the Netherlands published specimens, for Switzerland the specimen of the
 * licence of 2003. The check digits are those of ICAO Doc 9303-3, 4.9.
 *
 * Memory and threads: pure. Failures: none.
 */

/* The fewest characters needed to recognize a layout. */
#define IDV_MRZ_LICENCE_BEGINNING 5

/* Non-zero if ROW, the first of ROWS long rows, is that of a licence. The first
 * LENGTH characters of ROW were seen; the rest may be anything. Every check
 * digit of the layout must be right. */
int idv_mrz_licence_is(int rows, const char *row, int length);

#endif
