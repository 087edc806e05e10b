/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_PASSPORT_PASSPORT_READER_H
#define IDV_ANALYZE_PASSPORT_PASSPORT_READER_H

/*
 * The reader of passport chips: turns the parts of a submission into findings.
 * This file unpacks the parts for methods/passport/passport_reading.h, which
 * does the checks.
 *
 *   chip       what the app sent (methods/passport/chip_dump.h)
 *   anchors    the CSCAs that the organization trusts, packed
 *              (methods/passport/csca_list.h); may be empty
 *   challenge  the server's eight bytes, where one is open
 *   relay      the state of chip authentication
 *              (methods/passport/chip_relay.h), where it was begun
 *
 * Without anchors nothing is checked; the answer is then the relay's next step.
 *
 * Memory: findings live in the given pool and are personal data. Threads: one
 * submission at a time. Failures: a dump that the API should have refused, or a
 * part with another name, is an internal error; faults of the chip are in the
 * findings.
 */
#include "domain/method/analysis_protocol.h"

/* *READER is for idv_passport_reader_read(). There is nothing to open: the
 * process itself prepares OpenSSL for the sandbox. */
idv_error_t *idv_passport_reader_open(const char *models_directory,
                                      void **reader,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Reads REQUEST; *FINDINGS are the text of passport_findings.h, or of a
 * step. */
idv_error_t *idv_passport_reader_read(void *reader,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
