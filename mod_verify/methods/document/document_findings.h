/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_DOCUMENT_FINDINGS_H
#define IDV_METHODS_DOCUMENT_DOCUMENT_FINDINGS_H

/*
 * Findings: the results of verify-analyze for the photos of one submission, and
 * their JSON format. This is the only writer and the only reader of that
 * format.
 *
 * The writer runs in a sandbox that a hostile image may have taken over, so the
 * reader trusts nothing: size, types, ranges, codes and dates are checked, an
 * unknown or missing key is an error, and so is a contradiction (a document
 * that is not readable, a reason for a check that passed, a missing check that
 * its source requires, a confirmation by a code that is not independent or does
 * not match).
 *
 *   { "readable": bool, "hint": code|null, "source": code|null,
 *     "readers_agree": bool, "confidence": 0..1,
 *     "document": { "kind", "issuing_country", "issuing_region", "number",
 *                   "surname", "given_names", "date_of_birth",
 *                   "earlier_birth", "date_of_expiry", "date_of_issue", "sex",
 *                   "nationality", "truncation": "NTU"|null } | null,
 *     "checks": [ { "name", "passed", "reason" } ], "repairs": integer,
 *     "barcode_cross_ref_match": bool|null, "confirmed_by": code|null,
 *     "sides": 0..2, "side": "front"|"back"|null, "cut": bool,
 *     "area": where the code is (document_area.h), "portrait": bool|null,
 *     "print": { "surname", "given_names", "number", "date_of_birth",
 *                "date_of_issue", "date_of_expiry", "holder": code } | null,
 *     "quality": { "width", "height", "sharpness", "glare" },
 *     "traces": { "raster": 0..1|null, "paste": 0..1|null },
 *     "milliseconds": number }
 *
 * `side` is the picture that has to be taken again: the one that the hint is
 * about, or the one that does not show the whole document (`cut`). It is null
 * if there is none, or if the fault is not that of one picture.
 *
 * Values of `document` are strings or null. Dates are ISO 8601; a date of birth
 * may have reduced precision (1974-08, 1974); `earlier_birth` is the other date
 * that a zone allows, a century before. `truncation` says whether surname,
 * first and middle names are truncated on the card (T), complete (N), unknown
 * (U) or not stated (-). `print` says for each value whether the print agrees
 * with the code (print_comparison.h), null if it was not compared. `traces` is
 * the probability that a screen or a halftone print was photographed, and that
 * something was pasted into the picture, null if undetermined; it is reported
 * from IDV_DOCUMENT_TRACE_LIMIT on.
 *
 * Memory: the result pool, which then holds personal data. Threads: pure.
 */
#include "methods/document/document_area.h"
#include "methods/document/print_comparison.h"

/* Bytes of the longest findings. */
#define IDV_DOCUMENT_FINDINGS_MAX 65536

/* The lowest value of a trace that is reported. */
#define IDV_DOCUMENT_TRACE_LIMIT 0.5

/* Why a photo could not be read, so that the person can take a better one. */
#define IDV_DOCUMENT_HINTS(X)                                                  \
    X(BLURRED, "blurred")                                                      \
    X(GLARE, "glare")                                                          \
    X(TOO_SMALL, "too_small")                                                  \
    X(TOO_LARGE, "too_large")                                                  \
    X(TOO_DARK, "too_dark")                                                    \
    X(NO_DOCUMENT_CODE, "no_document_code")                                    \
    X(UNSUPPORTED_IMAGE, "unsupported_image")                                  \
    X(READERS_DISAGREE, "readers_disagree")                                    \
    X(SIDES_DISAGREE, "sides_disagree")                                        \
    X(ANOTHER_CODE, "another_code")                                            \
    X(SAME_PICTURE, "same_picture")                                            \
    X(COME_CLOSER, "come_closer")                                              \
    X(OTHER_BARCODE, "other_barcode")                                          \
    X(UNSUPPORTED_DOCUMENT, "unsupported_document")                            \
    X(CODE_COVERED, "code_covered")                                            \
    X(CUT_OFF, "cut_off")                                                      \
    X(FRONT_MISSING, "front_missing")                                          \
    X(ANALYSIS_FAILED, "analysis_failed")

typedef enum {
    IDV_DOCUMENT_HINT_NONE,
#define X(name, code) IDV_DOCUMENT_HINT_##name,
    IDV_DOCUMENT_HINTS(X)
#undef X
        IDV_DOCUMENT_HINT_COUNT
} idv_document_hint_t;

/* Whether one of the pictures shows a portrait. */
typedef enum {
    IDV_DOCUMENT_PORTRAIT_NOT_SOUGHT, /* no models for faces */
    IDV_DOCUMENT_PORTRAIT_MISSING,
    IDV_DOCUMENT_PORTRAIT_FOUND
} idv_document_portrait_t;

typedef struct {
    int width;        /* pixels, 0 to 65,535 */
    int height;
    double sharpness; /* variance of the Laplacian, 0 to 1,000,000 */
    double glare;     /* share of the image, 0 to 1 */
} idv_document_quality_t;

/* A trace in the pixels of how the pictures were made. */
typedef struct {
    int is_known;
    double score; /* 0 to 1 */
} idv_document_trace_t;

typedef struct {
    int readable;                   /* if set, there is a document and no
                                     * hint */
    idv_document_hint_t hint;       /* NONE exactly if readable */
    int readers_agree;              /* two independent readers, or one code
                                       with error correction */
    double confidence;              /* 0 to 1 */
    const idv_document_t *document; /* NULL exactly if not readable */
    idv_document_area_t area; /* of its code; unknown if not readable */
    idv_document_comparison_t barcode_cross_reference;
    int is_confirmed; /* an independent code says the same */
    idv_document_source_t confirmed_by; /* source of that code */
    int sides; /* pictures examined; 0: there were none */
    idv_document_side_name_t side; /* the picture to take again */
    int is_cut; /* readable, but SIDE does not show the whole document; NONE
                 * of two pictures: neither does */
    idv_document_portrait_t portrait; /* on any of them */
    int print_was_sought; /* flag: there is a reader of print ... */
    idv_print_verdicts_t print; /* ... with these results for all pictures */
    idv_document_quality_t quality; /* of the photo that was read */
    idv_document_trace_t raster, paste; /* known only for a readable one */
    double milliseconds;            /* spent on reading */
} idv_document_findings_t;

/* The code of a hint; NULL for NONE. */
const char *idv_document_hint_code(idv_document_hint_t hint);

/* Writes findings as compact JSON. */
idv_error_t *
idv_document_findings_write(const idv_document_findings_t *findings,
                            const char **text, apr_size_t *length,
                            apr_pool_t *pool) IDV_CHECKED;

/* Parses the output of the sandboxed child; any deviation from the format is an
 * internal error that names the place and never a value. */
idv_error_t *idv_document_findings_read(const char *text, apr_size_t length,
                                        idv_document_findings_t **findings,
                                        apr_pool_t *result) IDV_CHECKED;

#endif
