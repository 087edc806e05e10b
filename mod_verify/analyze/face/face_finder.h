/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_FINDER_H
#define IDV_ANALYZE_FACE_FACE_FINDER_H

/*
 * Finds faces in a picture: their positions, the mesh of 468 points of each,
 * and from it the direction of the head.
 *
 * A detector for faces of at least an eighth of its input searches the whole
 * picture; if a small face is expected, such as the portrait of a card on a
 * table, also overlapping tiles. Each hit is examined again, larger, and then
 * the mesh has to confirm that it is a face.
 *
 * Angles are degrees of the mesh, which was trained towards likely poses: large
 * angles come out too small. `yaw` grows when the nose moves to the right of
 * the picture, `pitch` when it moves up, `roll` when the head leans to the
 * right of the picture.
 *
 * Memory: the finder lives in its pool with its networks; faces are the
 * caller's. Threads: one picture at a time in a process. Failures: internal,
 * when opening; a picture without a face is not a failure.
 */
#include "analyze/image.h"
#include "domain/method/analysis_models.h"

enum { IDV_FACE_POINTS = 468, IDV_FACES_MAX = 8 };

typedef struct {
    double left, top, right, bottom; /* pixels */
    double score;                    /* of the detector, 0.5 to 1 */
    double presence;                 /* of the mesh, 0.5 to 1 */
    idv_point_t points[IDV_FACE_POINTS];
    double depth[IDV_FACE_POINTS]; /* pixels; smaller is nearer */
    double yaw, pitch, roll;
    double eye_distance; /* pixels between the middles of the eyes */
} idv_face_t;

typedef struct idv_face_finder_t idv_face_finder_t;

/* Loads the networks from DIRECTORY. */
idv_error_t *idv_face_finder_open(const char *directory,
                                  idv_face_finder_t **finder,
                                  apr_pool_t *pool) IDV_CHECKED;

typedef enum {
    IDV_FACE_LARGE, /* a person in front of a camera */
    IDV_FACE_PORTRAIT, /* a portrait on a card that fills more than half of the
                        * picture */
    IDV_FACE_ANY    /* down to a portrait of a card that fills a third */
} idv_face_size_t;

/* Finds the faces of an RGB image, the largest first; returns their number. */
int idv_face_find(idv_face_finder_t *finder, const idv_image_t *image,
                  idv_face_size_t size, idv_face_t faces[IDV_FACES_MAX]);

#endif
