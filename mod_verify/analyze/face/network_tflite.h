/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_NETWORK_TFLITE_H
#define IDV_ANALYZE_FACE_NETWORK_TFLITE_H

/*
 * Builds networks from TensorFlow Lite files (the FlatBuffers schema of version
 * 3, identifier TFL3): one subgraph with one input, weights of 32 or 16 bit
 * floats, and the operations that the face models use. A first dimension, of
 * images computed together, is taken for one.
 *
 * The files are fetched with a checksum, and read before any evidence. They are
 * validated all the same: every offset is checked before it is followed, and
 * unsupported content is a failure.
 *
 * Memory: the network and its results live in the pool. Threads: none.
 * Failures: internal errors that name the fault, without the file's name.
 */
#include "analyze/face/network.h"
#include "core/crypto.h"

#define IDV_TFLITE_RESULTS_MAX 4

typedef struct {
    idv_network_t *network;
    int results[IDV_TFLITE_RESULTS_MAX]; /* tensors, in the file's order */
    int result_count;
} idv_tflite_t;

/* Builds the network of FILE, which is not needed afterwards. */
idv_error_t *idv_tflite_read(idv_bytes_t file, idv_tflite_t *out,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
