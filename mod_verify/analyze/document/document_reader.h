/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_READER_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_READER_H

/*
 * Turns the photos of a document into findings: decodes, measures, reads the
 * barcode and the machine-readable zone of each side, parses strictly, and
 * compares the sides. The parts of a request are called "front" and "back".
 *
 * The order saves time: a scan for an upright barcode on every side, then the
 * zone, then the long search for a barcode. Each step runs only while nothing
 * was read, or while another side could confirm the result. A document is
 * readable if two readers agree on one code and no other code of the submission
 * contradicts it.
 *
 * All steps share the submission's processor time. Nothing is begun when it is
 * used up, so a picture in which everything looks like a code ends unreadable.
 * The child's clock (child.h) ends a step that is running.
 *
 * Memory: findings live in the given pool and are personal data. Threads: one
 * submission at a time; opened before a fork, used after it. Failures: faults
 * of the photos are in the findings; errors are internal.
 */
#include "domain/method/analysis_protocol.h"

/* The processor time after which reading is broken off, per side. The reader
 * begins nothing after IDV_DOCUMENT_READING_MILLISECONDS per side; the rest is
 * left to the running step, because each step takes up to twice as long when
 * others share caches and memory. Both sides together take less than
 * IDV_ANALYZE_PATIENCE_SECONDS. If only the additional checks (print, traces)
 * exceed it, the reading is kept. */
#define IDV_DOCUMENT_SIDE_MILLISECONDS 2000
#define IDV_DOCUMENT_READING_MILLISECONDS 1000

/* Loads the models for machine-readable zones from MODELS_DIRECTORY; NULL: only
 * barcodes are read. *READER is for idv_document_reader_read(). */
idv_error_t *idv_document_reader_open(const char *models_directory,
                                      void **reader,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Reads the photos of REQUEST; *FINDINGS are the text of
 * methods/document/document_findings.h. A part with another name is an
 * error. */
idv_error_t *idv_document_reader_read(void *reader,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
