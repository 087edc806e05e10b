/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_EVIDENCE_READER_H
#define IDV_ANALYZE_EVIDENCE_READER_H

/*
 * What verify-analyze can read: one reader for each method whose submissions
 * hold evidence, in one table. A method's reader lives in analyze/METHOD/ and
 * writes the findings that methods/METHOD/ reads.
 *
 * All readers are opened once, while the process may still open files, and read
 * behind the walls of a sandbox (sandbox.h), in children that inherit them.
 *
 * Memory: readers live in the pool of opening, findings in that of reading and
 * are personal data. Threads: one submission at a time in a process. Failures:
 * internal errors; what is wrong with the evidence is in the findings.
 */
#include "domain/method/analysis_protocol.h"

typedef struct idv_evidence_readers_t idv_evidence_readers_t;

/* Opens the readers of the methods of KIND with the models in MODELS_DIRECTORY;
 * NULL: each does what it can without. */
idv_error_t *idv_evidence_readers_open(idv_analysis_kind_t kind,
                                       const char *models_directory,
                                       idv_evidence_readers_t **out,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Has REQUEST read by the reader of its method; an error when there is none, or
 * it is of another kind than what was opened.
 * READERS is an idv_evidence_readers_t (idv_child_work_t in child.h). */
idv_error_t *idv_evidence_read(void *readers,
                               const idv_analysis_request_t *request,
                               idv_bytes_t *findings,
                               apr_pool_t *pool) IDV_CHECKED;

/* The processor time in milliseconds after which reading REQUEST is broken off
 * (idv_child_allowance_t in child.h); 0: no bound of its method's. */
int idv_evidence_allowance(const idv_analysis_request_t *request);

#endif
