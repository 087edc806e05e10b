/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_READER_H
#define IDV_ANALYZE_FACE_FACE_READER_H

/*
 * Turns the pictures of a person into findings (methods/face/face_findings.h),
 * for the methods selfie_liveness and selfie_match: finds the face in each,
 * measures its direction, and compares it with the still and with the previous
 * picture. If there are portraits among the parts, both networks compare the
 * best one with the still.
 *
 * A picture that cannot be decoded counts as one without a face. Of several
 * faces the largest is used. When the submission's time is used up, the
 * remaining pictures count as pictures without a face.
 *
 * Memory: findings live in the given pool; face vectors end with the process.
 * Threads: one submission at a time; opened before a fork, used after it.
 * Failures: internal.
 */
#include "domain/method/analysis_protocol.h"

/* Loads the models of MODELS_DIRECTORY. *READER is for idv_face_reader_read();
 * NULL if MODELS_DIRECTORY is NULL or lacks the models: then every submission
 * is an error. */
idv_error_t *idv_face_reader_open(const char *models_directory, void **reader,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Reads the pictures of REQUEST; a part with another name, or no still, is an
 * error. */
idv_error_t *idv_face_reader_read(void *reader,
                                  const idv_analysis_request_t *request,
                                  idv_bytes_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
