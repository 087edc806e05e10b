/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_AAMVA_H
#define IDV_METHODS_DOCUMENT_AAMVA_H

/*
 * The payload of the PDF417 symbol on driver's licences and ID cards of the
 * United States and Canada: AAMVA DL/ID Card Design Standard, annex D, versions
 * 01 (2000) to 11 (2025). The meaning of elements follows D.12.5 (mandatory
 * ones: D.12.5.1), their structure D.12 (aamva_file.h), and issuers the AAMVA's
 * table of Issuer Identification Numbers (aamva_issuers.def).
 *
 * The parser accepts the format as it is printed, not only as specified: a byte
 * order mark, line ends of any kind, "AAMVA" for "ANSI ", a missing record
 * separator and wrong offsets all occur on valid cards. It is strict about
 * identification: the issuer must be in the table (aamva_issuers.def) and agree
 * with the address' jurisdiction and the country, and the dates must agree with
 * each other.
 *
 * Input is untrusted: at most IDV_AAMVA_MAX_PAYLOAD bytes, at most
 * IDV_AAMVA_MAX_ELEMENTS data elements, each value cut to the standard's field
 * length. Memory: the result pool, personal data. Threads: pure. Failures: a
 * payload that is not the AAMVA's, or too large, and lack of memory.
 */
#include "core/crypto.h"
#include "methods/document/document.h"

/* The newest supported version of the payload, of 2025. Later ones are read in
 * the same way, and their new requirements are undetermined. */
#define IDV_AAMVA_VERSION_KNOWN 11

/* Parses the payload into a document. `parameter_invalid`, without any of the
 * bytes, if it has no AAMVA header, version 0, no DL or ID subfile, or is too
 * large; every other fault is a check that did not pass. NOW is the time for
 * checks of plausibility. */
idv_error_t *idv_aamva_parse(idv_bytes_t payload, idv_time_t now,
                             idv_document_t **document,
                             apr_pool_t *result) IDV_CHECKED;

#endif
