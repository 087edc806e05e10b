/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_NETWORK_DLIB_H
#define IDV_ANALYZE_FACE_NETWORK_DLIB_H

/*
 * The residual network of dlib that turns a face into 128 numbers, from the two
 * files that face-api.js ships: a JSON manifest with the names, shapes and
 * quantization of the weights, and the weights as bytes in sequence. The layers
 * themselves are defined here.
 *
 * The files are fetched with checksums; a mismatch is a failure all the same.
 * Memory: the network lives in the pool. Threads: none. Failures: internal
 * errors.
 */
#include "analyze/face/network.h"
#include "core/crypto.h"

enum { IDV_DLIB_SIDE = 150, IDV_DLIB_VALUES = 128 };

/* Builds the network: input IDV_DLIB_SIDE pixels a side, tensor 0; *RESULT is
 * the tensor of the IDV_DLIB_VALUES values. */
idv_error_t *idv_dlib_read(idv_bytes_t manifest, idv_bytes_t weights,
                           idv_network_t **network, int *result,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
