/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_METHOD_EVIDENCE_H
#define IDV_DOMAIN_METHOD_METHOD_EVIDENCE_H

/*
 * What the evidence of each method consists of: one table, which the routes
 * that take evidence, submissions, the store and the readers ask.
 *
 * A part is one piece of evidence of a session; its name is unique among all
 * methods, and a later piece of the same name replaces the earlier one. There
 * are two ways for a part to come:
 *
 * - IMAGE: by `PUT …/images/{name}`. The person chooses, so a submission names
 *   the images that belong to it.
 * - OWN: by requests that only its method has. A submission names none of
 *   them: all that are there belong to it.
 *
 * A decision may keep something that it found in the evidence (KEPT), for
 * methods that come after it: it belongs to no submission of its own method.
 *
 * A method may also look at what another method, which stands before it in the
 * table, has brought or kept (BORROWED): if that is a primary method, only at
 * what the session was passed with.
 *
 * A submission of a method without parts is decided without analysis.
 *
 * Memory: constant data. Threads: pure.
 */
#include <apr.h>

#include "domain/method/method.h"

typedef enum {
    IDV_EVIDENCE_IMAGE, /* a picture that a submission names */
    IDV_EVIDENCE_OWN,   /* what the method's own requests bring */
    IDV_EVIDENCE_KEPT,  /* found in what they brought, by a decision */
    IDV_EVIDENCE_BORROWED /* a part of another method */
} idv_evidence_source_t;

/* The pictures of a challenge besides its still: step and number
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

/* Method, name of the part, source, whether a submission needs it. */
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

/* The most parts that the evidence of one method consists of. */
#define IDV_METHOD_PARTS_MAX 24

typedef struct {
    idv_method_t method;
    const char *name;
    idv_evidence_source_t source;
    int is_needed;
} idv_evidence_part_t;

/* The part of this NAME, as the method has it that brings it; NULL: there is
 * none. */
const idv_evidence_part_t *idv_evidence_part_find(const char *name);

/* The parts of METHOD in the order of the table, at most
 * IDV_METHOD_PARTS_MAX; how many there are. */
int idv_evidence_parts_of(
    idv_method_t method,
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX]);

#endif
