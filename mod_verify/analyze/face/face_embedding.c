/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/face_embedding.h"

#include <math.h>
#include <string.h>

#include "analyze/face/face_view.h"
#include "analyze/face/model_file.h"
#include "analyze/face/network_dlib.h"

enum { FIRST_SIDE = 112 };

struct idv_face_models_t {
    idv_tflite_t first;
    idv_network_t *second;
    int second_result;
};

/* The positions at which the first network expects eyes, nose and corners of
 * the mouth (the template of ArcFace for 112 pixels). */
static const idv_point_t first_template[] = {
    {38.2946, 51.6963}, {73.5318, 51.5014}, {56.0252, 71.7366},
    {41.5493, 92.3655}, {70.7299, 92.2041},
};

/* The positions for the second network: outer and inner corners of both eyes
 * and the base of the nose, as shares of the face (dlib's five points), which
 * has a margin of a quarter. */
static const idv_point_t second_template[] = {
    {0.8595674595992, 0.2134981538014}, {0.6460604764104, 0.2289674387677},
    {0.1205750620789, 0.2137274526848}, {0.3340850613712, 0.2290642403242},
    {0.4901123135679, 0.6277975316475},
};
static const double second_margin = 0.25;

/* Points of the mesh. */
enum {
    NOSE = 1,
    NOSE_BASE = 2,
    NOSE_TIP = 4,
    EYE_RIGHT_OUTER = 33,
    MOUTH_RIGHT = 61,
    EYE_RIGHT_INNER = 133,
    LIP = 164,
    EYE_LEFT_OUTER = 263,
    MOUTH_LEFT = 291,
    EYE_LEFT_INNER = 362
};

idv_error_t *idv_face_models_open(const char *directory,
                                  idv_face_models_t **out, apr_pool_t *pool)
{
    idv_face_models_t *models = apr_pcalloc(pool, sizeof(*models));
    idv_network_shape_t shape;
    idv_bytes_t manifest, weights;
    apr_pool_t *scratch;

    IDV_TRY(idv_model_tflite(directory, IDV_MODEL_FACE_FIRST, &models->first,
                             pool));
    shape = idv_network_shape(models->first.network, models->first.results[0]);
    if (shape.channels != IDV_FACE_FIRST_VALUES
        || idv_network_shape(models->first.network, 0).width != FIRST_SIDE)
        return idv_error_internal(pool, "%s is not the expected model",
                                  IDV_MODEL_FACE_FIRST);
    if (apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(idv_model_map(directory, IDV_MODEL_FACE_SECOND_MANIFEST, &manifest,
                          scratch));
    IDV_TRY(
        idv_model_map(directory, IDV_MODEL_FACE_SECOND, &weights, scratch));
    IDV_TRY(idv_dlib_read(manifest, weights, &models->second,
                          &models->second_result, pool));
    apr_pool_destroy(scratch);
    *out = models;
    return NULL;
}

/* TO is FROM at length 1. */
static void normalize(const float *from, int count, float *to)
{
    double square = 1e-12;

    for (int i = 0; i < count; i++)
        square += (double)from[i] * from[i];
    for (int i = 0; i < count; i++)
        to[i] = (float)(from[i] / sqrt(square));
}

static idv_point_t between(const idv_face_t *face, int one, int other,
                           double share)
{
    const idv_point_t *p = face->points;

    return (idv_point_t){p[one].x * share + p[other].x * (1 - share),
                         p[one].y * share + p[other].y * (1 - share)};
}

void idv_face_embed_first(idv_face_models_t *models, const idv_image_t *image,
                          const idv_face_t *face,
                          idv_face_embedding_t *embedding)
{
    static const idv_face_tone_t tone = {
        1 / 128.0F, {-127.5F / 128, -127.5F / 128, -127.5F / 128}};
    const idv_point_t points[] = {
        between(face, EYE_RIGHT_OUTER, EYE_RIGHT_INNER, 0.5),
        between(face, EYE_LEFT_OUTER, EYE_LEFT_INNER, 0.5),
        between(face, NOSE, NOSE_TIP, 0.5),
        face->points[MOUTH_RIGHT],
        face->points[MOUTH_LEFT],
    };
    idv_face_view_t view = idv_face_view_fit(first_template, points, 5);
    idv_network_t *network = models->first.network;

    memset(embedding, 0, sizeof(*embedding));
    idv_face_view_fill(image, &view, &tone, network, 0);
    idv_network_run(network);
    normalize(idv_network_values(network, models->first.results[0]),
              IDV_FACE_FIRST_VALUES, embedding->first);
}

void idv_face_embed(idv_face_models_t *models, const idv_image_t *image,
                    const idv_face_t *face, idv_face_embedding_t *embedding)
{
    static const idv_face_tone_t tone = {
        1 / 256.0F, {-122.782F / 256, -117.001F / 256, -104.298F / 256}};
    const idv_point_t points[] = {
        face->points[EYE_LEFT_OUTER],       face->points[EYE_LEFT_INNER],
        face->points[EYE_RIGHT_OUTER],      face->points[EYE_RIGHT_INNER],
        between(face, NOSE_BASE, LIP, 0.7),
    };
    idv_point_t expected[5];
    idv_face_view_t view;

    idv_face_embed_first(models, image, face, embedding);
    for (int i = 0; i < 5; i++) {
        double scale = IDV_DLIB_SIDE / (1 + 2 * second_margin);

        expected[i].x = (second_template[i].x + second_margin) * scale;
        expected[i].y = (second_template[i].y + second_margin) * scale;
    }
    view = idv_face_view_fit(expected, points, 5);
    idv_face_view_fill(image, &view, &tone, models->second, 0);
    idv_network_run(models->second);
    normalize(idv_network_values(models->second, models->second_result),
              IDV_FACE_SECOND_VALUES, embedding->second);
}

static double cosine(const float *one, const float *other, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += (double)one[i] * other[i];
    return fmax(-1, fmin(1, sum));
}

idv_face_similarity_t idv_face_compare(const idv_face_embedding_t *one,
                                       const idv_face_embedding_t *other)
{
    return (idv_face_similarity_t){
        cosine(one->first, other->first, IDV_FACE_FIRST_VALUES),
        cosine(one->second, other->second, IDV_FACE_SECOND_VALUES)};
}
