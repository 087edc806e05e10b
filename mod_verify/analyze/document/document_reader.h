/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_READER_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_READER_H

/*
 * From the photos of a document to findings: decode, measure, read the barcode
 * and the machine-readable zone of each side, parse strictly, compare the
 * sides. The parts of a request are called "front" and "back".
 *
 * The order saves time: a look for an upright barcode on every side, then the
 * zone, then the long search for a barcode; each only while nothing was read,
 * or while another side could confirm what was. A document is readable when
 * one code was read by two readers that agree and no other code of the
 * submission contradicts it.
 *
 * All of them share the submission's time, of the processor: nothing is begun
 * when it is used up, so that a picture in which everything looks like a code
 * ends unreadable. What has begun is ended by the child's clock (child.h).
 *
 * Memory: findings live in the given pool and are personal data. Threads: one
 * submission at a time; opened before a fork, used after it. Failures: what is
 * wrong with the photos is in the findings; errors are internal.
 */
#include "domain/method/analysis_protocol.h"

/* The processor time after which reading is broken off, for each side. The reader
 * begins nothing after IDV_DOCUMENT_READING_MILLISECONDS a side, which leaves the
 * rest to what has begun: where others share the caches and the memory, each step
 * takes up to twice as much as on a quiet machine. Both sides together take less than
 * IDV_ANALYZE_PATIENCE_SECONDS. What was read is kept when only what is looked at
 * besides (print, traces) takes more. */
#define IDV_DOCUMENT_SIDE_MILLISECONDS 2000
#define IDV_DOCUMENT_READING_MILLISECONDS 1000

/* Loads the models for machine-readable zones from MODELS_DIRECTORY; with NULL
 * only barcodes are read. *READER is for idv_document_reader_read(). */
idv_error_t *idv_document_reader_open(const char *models_directory,
                                      void **reader,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Reads the photos of REQUEST; *FINDINGS are the text of
 * methods/document/document_findings.h. A part of another name is an error. */
idv_error_t *idv_document_reader_read(void *reader,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
