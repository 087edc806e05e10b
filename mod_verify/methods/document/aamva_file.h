/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_AAMVA_FILE_H
#define IDV_METHODS_DOCUMENT_AAMVA_FILE_H

/*
 * The structure of an AAMVA payload: header, subfiles, data elements (DL/ID
 * Card Design Standard, D.12). aamva.h interprets the elements.
 *
 * Elements are found by their identifiers at the beginning of lines and not by
 * the offsets of the header, which are wrong on valid cards of several issuers.
 * Those of the jurisdictions' own subfiles (Zxx) are left out. Lines end with
 * LF or CR; on a card with neither between its elements, with a vertical bar.
 *
 * Only aamva.c needs the elements in this form (aamva_data.h). Memory: the
 * result pool, personal data. Threads: pure. Failures: those of
 * idv_aamva_parse().
 */
#include "core/error.h"
#include "methods/document/aamva_data.h"

#define IDV_AAMVA_MAX_PAYLOAD 4096 /* a PDF417 symbol holds 1,850 characters */

/* Splits a payload into elements; errors as idv_aamva_parse(). */
idv_error_t *idv_aamva_file_read(idv_bytes_t payload, idv_aamva_file_t **file,
                                 apr_pool_t *result) IDV_CHECKED;

#endif
