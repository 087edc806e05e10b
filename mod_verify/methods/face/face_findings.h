/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_FACE_FINDINGS_H
#define IDV_METHODS_FACE_FACE_FINDINGS_H

/*
 * Findings: the results of verify-analyze for the pictures of a person, and
 * their JSON format. This is the only writer and the only reader of that
 * format; the reader trusts nothing (methods/findings_reader.h).
 *
 *   { "frames": [ { "part": name, "faces": 0..8, "yaw", "pitch", "roll":
 *       tenths of a degree, "eye_distance": tenths of a pixel, "brightness":
 *       0..255, "cosines": { "to_still", "to_former": thousandths or null } }
 * ], "reference": { "part": name, "faces", "eye_distance", "first", "second":
 *       thousandths of a cosine | null } | null,
 *     "milliseconds": number }
 *
 * Frames are those of a challenge (liveness_challenge.h), in its order. The
 * numbers of a missing face are zero. Cosines are the similarity of two faces
 * by two networks (analyze/face/face_embedding.h); face vectors are never part
 * of findings.
 *
 * Memory: the pool; findings are personal data. Threads: pure. Failures:
 * internal errors that name the place and never a value.
 */
#include "core/crypto.h"
#include "methods/face/liveness_challenge.h"
#include "core/error.h"

#define IDV_FACE_FINDINGS_MAX 16384 /* bytes */

/* Sources of a person's portrait, best first: name, part of the evidence, value
 * in a result. */
#define IDV_PORTRAIT_SOURCES(X)                                                \
    X(CHIP, "chip", "chip")                   /* in DG2 of the dump, signed */ \
    X(MDOC, "mdoc_portrait", "mdoc")          /* signed */                     \
    X(DOCUMENT, "front", "document_portrait") /* on the photo of a document */

typedef enum {
#define X(name, part, value) IDV_PORTRAIT_SOURCE_##name,
    IDV_PORTRAIT_SOURCES(X)
#undef X
        IDV_PORTRAIT_SOURCE_COUNT,
    IDV_PORTRAIT_SOURCE_NONE = -1
} idv_portrait_source_t;

/* The part of evidence, and the value in a result; NULL for NONE. */
const char *idv_portrait_source_part(idv_portrait_source_t source);
const char *idv_portrait_source_value(idv_portrait_source_t source);

/* The source whose part is named NAME; NONE for another. */
idv_portrait_source_t idv_portrait_source_find(const char *name);

/* One of the two faces is missing. */
#define IDV_FACE_NOT_COMPARED (-2.0)

typedef struct {
    int faces;               /* in the picture */
    double yaw, pitch, roll; /* degrees, of the largest */
    double eye_distance;     /* pixels */
    double brightness;       /* of the face, 0 to 255 */
    double to_still;         /* by the first network, or
                              * IDV_FACE_NOT_COMPARED */
    double to_former;        /* the same, to the previous picture */
} idv_face_frame_t;

typedef struct {
    idv_portrait_source_t source; /* NONE: nothing to compare with */
    int faces;
    double eye_distance;
    double first, second; /* cosines to the still, or IDV_FACE_NOT_COMPARED */
} idv_face_reference_t;

typedef struct {
    /* By the index of the part; only those below `frame_count`: the still, or
     * the still and all frames. */
    idv_face_frame_t frames[IDV_LIVENESS_PARTS];
    int frame_count;
    idv_face_reference_t reference;
    double milliseconds;
    apr_pool_t *pool; /* the pool of findings that were parsed */
} idv_face_findings_t;

/* Writes FINDINGS as compact JSON. */
idv_error_t *idv_face_findings_write(const idv_face_findings_t *findings,
                                     idv_bytes_t *text,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Parses the output of the sandboxed child. */
idv_error_t *idv_face_findings_read(idv_bytes_t text,
                                    idv_face_findings_t **findings,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
