/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_READER_H
#define IDV_ANALYZE_DOCUMENT_MRZ_READER_H

/*
 * Reads the machine-readable zones on a photograph of a document (ICAO Doc
 * 9303, parts 3 to 7: TD1, TD2, TD3, MRV-A, MRV-B).
 *
 *   binarize, find rows of glyphs (mrz_glyphs.h, mrz_zone.h)
 *   -> place a layout on them by means of the classifier (mrz_placement.h)
 *   -> read straightened lines with Tesseract (mrz_ocr.h)
 *   -> keep only what both readers agree on (mrz_agreement.h)
 *
 * This is repeated with another binarization until it succeeds or the tries or
 * the time are used up. After one zone was read, another one is searched for
 * next to it, which belongs to another document. The document may have any
 * direction (reliable up to 25 degrees off a quarter turn) and moderate
 * perspective.
 *
 * A reader is opened once, before a process drops its privileges: reading opens
 * no file and starts no thread. Memory: a read's memory is freed with its
 * scratch pool; Tesseract keeps working memory. Threads: one read at a time; a
 * forked child may use its parent's reader. The text is personal data: the
 * caller wipes it.
 */
#include "analyze/image.h"
#include "methods/document/mrz_layout.h"

typedef struct idv_mrz_reader_t idv_mrz_reader_t;

/* The second reader, after the first pass of Tesseract. */
typedef enum {
    IDV_MRZ_SECOND_CLASSIFIER, /* the network of mrz_network.h */
    IDV_MRZ_SECOND_TESSERACT   /* Tesseract again, with the line prepared
                                  differently: for scripts/bench-mrz, which
                                  measures the gain of the classifier */
} idv_mrz_second_reader_t;

typedef enum {
    IDV_MRZ_READ,         /* both readers agree and all check digits hold */
    IDV_MRZ_INVALID,      /* both agree, on two tries, on one text with wrong
                             check digits: it was printed so */
    IDV_MRZ_DISAGREED,    /* a zone was found, but the readers disagree */
    IDV_MRZ_NOT_FOUND     /* nothing looks like a zone */
} idv_mrz_outcome_t;

/* Why a zone that was seen was not read. */
typedef enum {
    IDV_MRZ_WHOLE,   /* no reason known */
    IDV_MRZ_CUT_OFF, /* it extends beyond the edge of the photo */
    IDV_MRZ_COVERED  /* some adjacent columns show no glyphs */
} idv_mrz_flaw_t;

/* A zone that was read. */
typedef struct {
    idv_mrz_text_t text; /* its repairs: where the readers differed */
    double confidence;   /* 0 to 1, raw: the less confident reader's worst row;
                            idv_mrz_probability() turns it into a probability */
    double certainty;    /* 0 to 1, the classifier's for the worst character of
                            the issuing state and the nationality, which no
                            check digit covers */
    double degrees;  /* by which to turn the image counter-clockwise to make it
                        upright; -180 to 180 */
    idv_quad_t area; /* in the image, from its own top left */
} idv_mrz_reading_t;

/* Maximum of distinct zones per photo; a document has one. */
#define IDV_MRZ_READINGS_MAX 2

/* The state of reading one photo. All zero: nothing tried yet. */
typedef struct {
    idv_mrz_outcome_t outcome; /* valid if tries > 0 */
    int count; /* READ: zones in different places; INVALID: 1 */
    idv_mrz_reading_t readings[IDV_MRZ_READINGS_MAX];
    int tries; /* binarizations so far */
    int glyphs;   /* boxes of glyphs, the most of any try */
    int is_foreign; /* flag: saw the zone of an unsupported kind of document */
    int was_seen; /* flag: something was placed as a zone ... */
    double pitch; /* ... with this many pixels from glyph to glyph */
    idv_mrz_flaw_t flaw; /* of the zone seen best, or of a part of one */
    int has_wrong; /* flag: a try ended with wrong check digits ... */
    idv_mrz_reading_t wrong; /* ... on this text */
} idv_mrz_page_t;

typedef struct {
    int tries;
    int milliseconds;
} idv_mrz_effort_t;

/* The probability, 0 to 1, that a reading on which both readers agreed with the
 * raw CONFIDENCE is right. It is the rate on generated photographs by Laplace's
 * rule of succession, so it never exceeds the counted rate. */
double idv_mrz_probability(double confidence);

/* Loads ocrb_int.traineddata and mrz_classifier.bin from MODELS_DIRECTORY
 * (`make models`). The reader is closed with the pool. */
idv_error_t *idv_mrz_reader_open(const char *models_directory,
                                 idv_mrz_second_reader_t second,
                                 idv_mrz_reader_t **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Reads the zones of the GRAY image; PAGE holds the results of earlier calls.
 * An image of any content and size within the limits of image.h has an outcome;
 * errors are internal. Runs at most TRIES binarizations, continuing after those
 * of the last call. After MILLISECONDS of processor time none but the very
 * first is begun, and no zone is read with Tesseract. */
idv_error_t *idv_mrz_read(idv_mrz_reader_t *reader, const idv_image_t *gray,
                          const idv_mrz_effort_t *effort, idv_mrz_page_t *page,
                          apr_pool_t *scratch) IDV_CHECKED;

#endif
