/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_METHOD_EVIDENCE_H
#define IDV_DOMAIN_METHOD_METHOD_EVIDENCE_H

/*
 * The evidence of each method: one table for the routes that receive evidence,
 * for submissions, the store and the readers.
 *
 * A part is one piece of evidence in a session. Its name is unique among all
 * methods, and a later piece of the same name replaces the earlier one. A part
 * arrives in one of two ways:
 *
 * - IMAGE: by `PUT …/images/{name}`. The person chooses, so a submission names
 *   its images.
 * - OWN: by requests specific to the method. A submission does not name these
 *   parts; all present ones belong to it.
 *
 * A decision can keep something found in the evidence (KEPT) for later methods;
 * it does not belong to a submission of its own method.
 *
 * A method can also use parts that an earlier method in the table brought or
 * kept (BORROWED); from a primary method, only those with which the session
 * passed.
 *
 * A submission of a method without parts is decided without analysis.
 *
 * Memory: constant data. Threads: pure.
 */
#include <apr.h>

#include "domain/method/method.h"

typedef enum {
    IDV_EVIDENCE_IMAGE,   /* a picture named by a submission */
    IDV_EVIDENCE_OWN,     /* from the method's own requests */
    IDV_EVIDENCE_KEPT,    /* found in the evidence and kept by a decision */
    IDV_EVIDENCE_BORROWED /* a part of another method */
} idv_evidence_source_t;

/* The pictures of a challenge in addition to its still: step and number
 * (methods/face/liveness_challenge.h). */
#define IDV_EVIDENCE_FRAMES(X, method, source, is_needed)                      \
    X(method, "step_1_1", source, is_needed)                                   \
    X(method, "step_1_2", source, is_needed)                                   \
    X(method, "step_1_3", source, is_needed)                                   \
    X(method, "step_1_4", source, is_needed)                                   \
    X(method, "step_2_1", source, is_needed)                                   \
    X(method, "step_2_2", source, is_needed)                                   \
    X(method, "step_2_3", source, is_needed)                                   \
    X(method, "step_2_4", source, is_needed)                                   \
    X(method, "step_3_1", source, is_needed)                                   \
    X(method, "step_3_2", source, is_needed)                                   \
    X(method, "step_3_3", source, is_needed)                                   \
    X(method, "step_3_4", source, is_needed)                                   \
    X(method, "step_4_1", source, is_needed)                                   \
    X(method, "step_4_2", source, is_needed)                                   \
    X(method, "step_4_3", source, is_needed)                                   \
    X(method, "step_4_4", source, is_needed)

/* Method, name of the part, source, whether a submission requires it. */
#define IDV_EVIDENCE_PARTS(X)                                                  \
    X(DOCUMENT_CAPTURE, "front", IMAGE, 1)                                     \
    X(DOCUMENT_CAPTURE, "back", IMAGE, 0)                                      \
    X(NFC_PASSPORT, "chip", OWN, 1)                                            \
    X(MDL, "wallet_response", OWN, 1)                                          \
    X(MDL, "mdoc_portrait", KEPT, 0)                                           \
    X(SELFIE_LIVENESS, "still", OWN, 1)                                        \
    IDV_EVIDENCE_FRAMES(X, SELFIE_LIVENESS, OWN, 1)                            \
    X(SELFIE_MATCH, "chip", BORROWED, 0)                                       \
    X(SELFIE_MATCH, "mdoc_portrait", BORROWED, 0)                              \
    X(SELFIE_MATCH, "front", BORROWED, 0)                                      \
    X(SELFIE_MATCH, "still", BORROWED, 1)                                      \
    IDV_EVIDENCE_FRAMES(X, SELFIE_MATCH, BORROWED, 0)

/* Maximum number of parts of one method. */
#define IDV_METHOD_PARTS_MAX 24

typedef struct {
    idv_method_t method;
    const char *name;
    idv_evidence_source_t source;
    int is_needed;
} idv_evidence_part_t;

/* The part NAME, as listed by the method that brings it; NULL: none. */
const idv_evidence_part_t *idv_evidence_part_find(const char *name);

/* The parts of METHOD in the order of the table, at most IDV_METHOD_PARTS_MAX.
 * Returns their number. */
int idv_evidence_parts_of(
    idv_method_t method,
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX]);

#endif
