/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_READER_H
#define IDV_ANALYZE_FACE_FACE_READER_H

/*
 * From the pictures of a person to findings (methods/face/face_findings.h), for
 * the methods selfie_liveness and selfie_match: finds the face in each,
 * measures where it looks, and compares it with the still and with the picture
 * before it. With a portrait among the parts, the best one is compared with the
 * still by both networks.
 *
 * A picture that cannot be decoded is one without a face. Among several faces
 * the largest is meant. When the submission's time is used up, the pictures
 * that are left count as such without a face.
 *
 * Memory: findings live in the given pool; what networks make of faces ends
 * with the process. Threads: one submission at a time; opened before a fork,
 * used after it. Failures: internal.
 */
#include "domain/method/analysis_protocol.h"

/* Loads the models of MODELS_DIRECTORY. *READER is for idv_face_reader_read();
 * NULL where MODELS_DIRECTORY is, or lacks the models: then every submission is
 * an error. */
idv_error_t *idv_face_reader_open(const char *models_directory, void **reader,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Reads the pictures of REQUEST; a part of another name, or no still, is an
 * error. */
idv_error_t *idv_face_reader_read(void *reader,
                                  const idv_analysis_request_t *request,
                                  idv_bytes_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
