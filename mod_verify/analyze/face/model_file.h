/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_MODEL_FILE_H
#define IDV_ANALYZE_FACE_MODEL_FILE_H

/*
 * Reads model files from the directory that scripts/fetch-models fills.
 *
 * Memory: the given pool. Threads: none. Failures: internal errors that name
 * the file and how to get it.
 */
#include "analyze/face/network_tflite.h"

/* Maps the whole file NAME of DIRECTORY, of at most 16 MiB, until the end of POOL. */
idv_error_t *idv_model_map(const char *directory, const char *name,
                           idv_bytes_t *file, apr_pool_t *pool) IDV_CHECKED;

/* Builds the network of the file NAME of DIRECTORY. */
idv_error_t *idv_model_tflite(const char *directory, const char *name,
                              idv_tflite_t *model,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
