/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_EMBEDDING_H
#define IDV_ANALYZE_FACE_FACE_EMBEDDING_H

/*
 * Whether two pictures show the same person: two networks of different makers,
 * trained on different pictures, that each make a list of numbers of a face.
 * The cosine of two lists of the same network is its opinion; that of both is
 * compared, as with the two readers of machine-readable zones.
 *
 * Lists of numbers of a face are biometric data: they live in the child that
 * made them and never leave it; findings have the cosines alone.
 *
 * Memory: the models live in their pool, lists are values. Threads: one picture
 * at a time in a process. Failures: internal, of opening.
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

/* What both networks make of FACE in the RGB image IMAGE. */
void idv_face_embed(idv_face_models_t *models, const idv_image_t *image,
                    const idv_face_t *face, idv_face_embedding_t *embedding);

/* The same of the first network alone, which is enough to see that a person is
 * still the same; `second` is all zero. */
void idv_face_embed_first(idv_face_models_t *models, const idv_image_t *image,
                          const idv_face_t *face,
                          idv_face_embedding_t *embedding);

/* What the networks think of two faces. */
idv_face_similarity_t idv_face_compare(const idv_face_embedding_t *one,
                                       const idv_face_embedding_t *other);

#endif
