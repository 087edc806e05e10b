/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_EVIDENCE_READER_H
#define IDV_ANALYZE_EVIDENCE_READER_H

/*
 * The table of readers in verify-analyze: one for each method whose submissions
 * hold evidence. A method's reader is in analyze/METHOD/ and writes the
 * findings that methods/METHOD/ reads.
 *
 * All readers are opened once, while the process may still open files. They
 * read in sandboxed children (sandbox.h) that inherit them.
 *
 * Memory: readers live in the pool of opening, findings in that of reading and
 * are personal data. Threads: one submission at a time in a process. Failures:
 * internal errors; faults of the evidence are in the findings.
 */
#include "domain/method/analysis_protocol.h"

typedef struct idv_evidence_readers_t idv_evidence_readers_t;

/* Opens the readers of the methods of KIND with the models in MODELS_DIRECTORY;
 * NULL: each works without models as far as it can. */
idv_error_t *idv_evidence_readers_open(idv_analysis_kind_t kind,
                                       const char *models_directory,
                                       idv_evidence_readers_t **out,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Reads REQUEST with the reader of its method; an error if there is none or its
 * kind was not opened. READERS is an idv_evidence_readers_t (idv_child_work_t
 * in child.h). */
idv_error_t *idv_evidence_read(void *readers,
                               const idv_analysis_request_t *request,
                               idv_bytes_t *findings,
                               apr_pool_t *pool) IDV_CHECKED;

/* The processor time in milliseconds after which reading REQUEST is broken off
 * (idv_child_allowance_t in child.h); 0: its method has no limit. */
int idv_evidence_allowance(const idv_analysis_request_t *request);

#endif
