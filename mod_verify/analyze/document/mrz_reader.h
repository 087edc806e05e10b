/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_READER_H
#define IDV_ANALYZE_DOCUMENT_MRZ_READER_H

/*
 * Reads the machine-readable zones on a photograph of a document (ICAO Doc 9303,
 * parts 3 to 7: TD1, TD2, TD3, MRV-A, MRV-B).
 *
 *   binarize, find rows of glyphs (mrz_glyphs.h, mrz_zone.h)
 *   -> place a layout on them by what the classifier sees (mrz_placement.h)
 *   -> read straightened lines with Tesseract (mrz_ocr.h)
 *   -> take only what both readers agree on (mrz_agreement.h)
 *
 * and again with another binarization until that succeeds or the tries or the
 * time are used up. Where a zone was read, another one is looked for beside it:
 * it is that of another document. The document may lie in any direction, up to 25 degrees off
 * a quarter turn surely, in moderate perspective.
 *
 * A reader is opened once, before a process gives up its rights: reading opens
 * no file and starts no thread. Memory: what a read takes is freed with its
 * scratch pool; Tesseract keeps working memory. Threads: one read at a time, a
 * forked child may read with its parent's reader. The text is personal data:
 * the caller wipes it.
 */
#include "analyze/image.h"
#include "methods/document/mrz_layout.h"

typedef struct idv_mrz_reader_t idv_mrz_reader_t;

/* Who reads a line besides the first pass of Tesseract. */
typedef enum {
    IDV_MRZ_SECOND_CLASSIFIER, /* the network of mrz_network.h */
    IDV_MRZ_SECOND_TESSERACT   /* Tesseract again, shown the line otherwise: for
                                  scripts/bench-mrz, which shows what the
                                  classifier is worth */
} idv_mrz_second_reader_t;

typedef enum {
    IDV_MRZ_READ,         /* both readers agree and all check digits hold */
    IDV_MRZ_INVALID,      /* both agree, on two tries on the same text, whose
                             check digits are wrong: so it is printed */
    IDV_MRZ_DISAGREED,    /* a zone is there, and no text that both read */
    IDV_MRZ_NOT_FOUND     /* nothing looks like a zone */
} idv_mrz_outcome_t;

/* What keeps a zone that was seen from being read. */
typedef enum {
    IDV_MRZ_WHOLE,   /* nothing that is known */
    IDV_MRZ_CUT_OFF, /* it goes on beyond the edge of the photo */
    IDV_MRZ_COVERED  /* some columns side by side show no glyphs */
} idv_mrz_flaw_t;

/* One zone that was read. */
typedef struct {
    idv_mrz_text_t text; /* its repairs: where the readers differed */
    double confidence;   /* 0 to 1, raw: of the less sure reader's worst row;
                            idv_mrz_probability() says what it is worth */
    double certainty;    /* 0 to 1, of the classifier about the worst character
                            of the issuing state and the nationality, which no
                            check digit covers */
    double degrees;  /* the image must be turned by, counter-clockwise, to be
                        upright; -180 to 180 */
    idv_quad_t area; /* where it lies in the image, from its own top left */
} idv_mrz_reading_t;

/* Zones of one photo that are told apart: a document has one. */
#define IDV_MRZ_READINGS_MAX 2

/* What is known of one photo. All zero: nothing yet. */
typedef struct {
    idv_mrz_outcome_t outcome; /* when tries > 0 */
    int count; /* READ: zones, each in another place; INVALID: 1 */
    idv_mrz_reading_t readings[IDV_MRZ_READINGS_MAX];
    int tries; /* binarizations so far */
    int glyphs;   /* boxes of glyphs in the try that saw most */
    int is_foreign; /* the zone of a kind of document that is not read was seen */
    int was_seen; /* something was laid out as a zone ... */
    double pitch; /* ... with so many pixels from glyph to glyph */
    idv_mrz_flaw_t flaw; /* of the zone that was seen best, or of a part of one */
    int has_wrong; /* a try ended with wrong check digits ... */
    idv_mrz_reading_t wrong; /* ... on this text */
} idv_mrz_page_t;

typedef struct {
    int tries;
    int milliseconds;
} idv_mrz_effort_t;

/* The probability, 0 to 1, that a reading on which both readers agreed with the
 * raw CONFIDENCE is right: as often as generated photographs were read right, by
 * Laplace's rule of succession, so that it never says more than was counted. */
double idv_mrz_probability(double confidence);

/* Loads ocrb_int.traineddata and mrz_classifier.bin from MODELS_DIRECTORY
 * (`make models`). The reader is closed with the pool. */
idv_error_t *idv_mrz_reader_open(const char *models_directory,
                                 idv_mrz_second_reader_t second,
                                 idv_mrz_reader_t **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Reads the zones of the GRAY image, whose PAGE tells what earlier calls found;
 * an image of any content and size within the limits of image.h has an outcome,
 * errors are internal. At most TRIES binarizations, from the one on that the last
 * call ended before; none but the first of all is begun, and no zone read with
 * Tesseract, after MILLISECONDS of processor time. */
idv_error_t *idv_mrz_read(idv_mrz_reader_t *reader, const idv_image_t *gray,
                          const idv_mrz_effort_t *effort, idv_mrz_page_t *page,
                          apr_pool_t *scratch) IDV_CHECKED;

#endif
