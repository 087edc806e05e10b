/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_ANALYSIS_MODELS_H
#define IDV_DOMAIN_METHOD_ANALYSIS_MODELS_H

/*
 * Model files of verify-analyze, in the directory of VerifyModels. The document
 * models are required. The face models are present all together or not at all;
 * without them no face method is offered.
 *
 * Threads: safe. Memory: the given pool. Failures: none.
 */
#include <apr_pools.h>

/* For documents. */
#define IDV_MODEL_CLASSIFIER "mrz_classifier.bin"
#define IDV_MODEL_TRAINED "ocrb_int" /* for Tesseract: .traineddata */

/* For faces. */
#define IDV_MODEL_FACE_DETECTOR "face_detection_short_range.tflite"
#define IDV_MODEL_FACE_MESH "face_landmark.tflite"
#define IDV_MODEL_FACE_FIRST "mobile_face_net.tflite"
#define IDV_MODEL_FACE_SECOND "face_recognition_model.bin"
#define IDV_MODEL_FACE_SECOND_MANIFEST                                         \
    "face_recognition_model-weights_manifest.json"

/* The name of the first file that DIRECTORY lacks or that this process cannot
 * read; NULL if verify-analyze will find every file that it opens. */
const char *idv_analysis_model_missing(const char *directory,
                                       apr_pool_t *scratch);

#endif
