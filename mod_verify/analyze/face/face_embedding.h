/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_EMBEDDING_H
#define IDV_ANALYZE_FACE_FACE_EMBEDDING_H

/*
 * Decides whether two pictures show the same person. Two networks of different
 * makers, trained on different pictures, each turn a face into a vector. The
 * cosine of two vectors of one network is its opinion; both opinions are
 * compared, as with the two readers of machine-readable zones.
 *
 * Face vectors are biometric data: they never leave the child that made them;
 * findings contain only the cosines.
 *
 * Memory: the models live in their pool, vectors are values. Threads: one
 * picture at a time in a process. Failures: internal, when opening.
 */
#include "analyze/face/face_finder.h"

enum { IDV_FACE_FIRST_VALUES = 192, IDV_FACE_SECOND_VALUES = 128 };

typedef struct {
    float first[IDV_FACE_FIRST_VALUES];   /* of length 1 */
    float second[IDV_FACE_SECOND_VALUES]; /* of length 1 */
} idv_face_embedding_t;

/* Cosines, -1 to 1. */
typedef struct {
    double first, second;
} idv_face_similarity_t;

typedef struct idv_face_models_t idv_face_models_t;

/* Loads both models from DIRECTORY. */
idv_error_t *idv_face_models_open(const char *directory,
                                  idv_face_models_t **models,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Computes the vectors of both networks for FACE in the RGB image IMAGE. */
void idv_face_embed(idv_face_models_t *models, const idv_image_t *image,
                    const idv_face_t *face, idv_face_embedding_t *embedding);

/* The same with the first network only, which suffices to check that the person
 * has not changed; `second` is all zero. */
void idv_face_embed_first(idv_face_models_t *models, const idv_image_t *image,
                          const idv_face_t *face,
                          idv_face_embedding_t *embedding);

/* The similarity of two faces by both networks. */
idv_face_similarity_t idv_face_compare(const idv_face_embedding_t *one,
                                       const idv_face_embedding_t *other);

#endif
