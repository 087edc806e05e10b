/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_ANALYSIS_MODELS_H
#define IDV_DOMAIN_METHOD_ANALYSIS_MODELS_H

/*
 * The files that verify-analyze reads evidence with, in the directory of
 * VerifyModels. Those of documents are needed; those of faces are there all
 * together, or not at all: then no method of faces is offered.
 *
 * Threads: safe. Memory: the given pool. Nothing fails.
 */
#include <apr_pools.h>

/* Of documents. */
#define IDV_MODEL_CLASSIFIER "mrz_classifier.bin"
#define IDV_MODEL_TRAINED "ocrb_int" /* of Tesseract: .traineddata */

/* Of faces. */
#define IDV_MODEL_FACE_DETECTOR "face_detection_short_range.tflite"
#define IDV_MODEL_FACE_MESH "face_landmark.tflite"
#define IDV_MODEL_FACE_FIRST "mobile_face_net.tflite"
#define IDV_MODEL_FACE_SECOND "face_recognition_model.bin"
#define IDV_MODEL_FACE_SECOND_MANIFEST                                         \
    "face_recognition_model-weights_manifest.json"

/* The name of the first file that DIRECTORY lacks, or that this process may not
 * read; NULL when verify-analyze finds all that it opens. */
const char *idv_analysis_model_missing(const char *directory,
                                       apr_pool_t *scratch);

#endif
