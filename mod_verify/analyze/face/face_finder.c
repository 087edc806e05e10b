/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/face_finder.h"

#include <math.h>
#include <string.h>

#include "analyze/face/face_view.h"
#include "analyze/face/model_file.h"
#include "analyze/face/network_tflite.h"

/* The detector: anchors in two grids, each with a box and six points. */
enum {
    DETECTOR_SIDE = 128,
    COARSE_GRID = 8,
    COARSE_BOXES = 6, /* anchors per cell */
    FINE_GRID = 16,
    FINE_BOXES = 2,
    ANCHORS = FINE_GRID * FINE_GRID * FINE_BOXES
            + COARSE_GRID * COARSE_GRID * COARSE_BOXES,
    REGRESSORS = 16,
    KEY_POINTS = 6,
    CANDIDATES_MAX = 64
};
static const double detected_above = 0.5, same_above = 0.3;

/* The mesh sees a box that is half as large again. */
enum { MESH_SIDE = 192, LEAST_CROP = 20 };
static const double mesh_margin = 1.5;

/* Points of the mesh: cheeks, forehead and chin, corners of the eyes. */
enum {
    RIGHT_CHEEK = 234,
    LEFT_CHEEK = 454,
    FOREHEAD = 10,
    CHIN = 152,
    RIGHT_EYE_OUTER = 33,
    RIGHT_EYE_INNER = 133,
    LEFT_EYE_INNER = 362,
    LEFT_EYE_OUTER = 263
};

static const double degrees = 180 / 3.14159265358979323846;

struct idv_face_finder_t {
    idv_tflite_t detector, mesh;
    int scores, boxes;    /* results of the detector */
    int points, presence; /* results of the mesh */
};

typedef struct {
    double score;
    double box[4]; /* left, top, right, bottom; pixels */
    idv_point_t points[KEY_POINTS];
} candidate_t;

/* A rectangle of the picture. */
typedef struct {
    int left, top, width, height;
} region_t;

static double sigmoid(double value)
{
    return 1 / (1 + exp(-value));
}

/* --- opening --- */

/* The result of MODEL if it has COUNT values; else -1. */
static int result_of(const idv_tflite_t *model, int count)
{
    for (int i = 0; i < model->result_count; i++) {
        idv_network_shape_t shape =
            idv_network_shape(model->network, model->results[i]);

        if (shape.height * shape.width * shape.channels == count)
            return model->results[i];
    }
    return -1;
}

static int is_square(const idv_tflite_t *model, int side)
{
    idv_network_shape_t shape = idv_network_shape(model->network, 0);

    return shape.height == side && shape.width == side && shape.channels == 3;
}

idv_error_t *idv_face_finder_open(const char *directory,
                                  idv_face_finder_t **out, apr_pool_t *pool)
{
    idv_face_finder_t *finder = apr_pcalloc(pool, sizeof(*finder));

    IDV_TRY(idv_model_tflite(directory, IDV_MODEL_FACE_DETECTOR, &finder->detector,
                             pool));
    IDV_TRY(idv_model_tflite(directory, IDV_MODEL_FACE_MESH, &finder->mesh, pool));
    finder->scores = result_of(&finder->detector, ANCHORS);
    finder->boxes = result_of(&finder->detector, ANCHORS * REGRESSORS);
    finder->points = result_of(&finder->mesh, 3 * IDV_FACE_POINTS);
    finder->presence = result_of(&finder->mesh, 1);
    if (finder->scores < 0 || finder->boxes < 0 || finder->points < 0
        || finder->presence < 0 || !is_square(&finder->detector, DETECTOR_SIDE)
        || !is_square(&finder->mesh, MESH_SIDE))
        return idv_error_internal(pool, "a model for faces is not the expected "
                                        "one");
    *out = finder;
    return NULL;
}

/* --- the detector --- */

/* How REGION is centred in the detector's input. */
typedef struct {
    double scale; /* from the detector's pixels to the picture's */
    int left, top, width, height;
} fit_t;

static fit_t fit_region(region_t region)
{
    int most = region.width > region.height ? region.width : region.height;
    fit_t fit = {.scale = (double)most / DETECTOR_SIDE};

    fit.width = (int)lround(region.width / fit.scale);
    fit.height = (int)lround(region.height / fit.scale);
    fit.width = fit.width < 1 ? 1 : fit.width;
    fit.height = fit.height < 1 ? 1 : fit.height;
    fit.left = (DETECTOR_SIDE - fit.width) / 2;
    fit.top = (DETECTOR_SIDE - fit.height) / 2;
    return fit;
}

/* The pixels of cell AT, if SIZE pixels are divided into COUNT cells: from
 * *BEGIN to before *END, at least one. */
static void divide(int size, int count, int at, int *begin, int *end)
{
    *begin = (int)((apr_int64_t)at * size / count);
    *end = (int)((apr_int64_t)(at + 1) * size / count);
    if (*end <= *begin)
        *end = *begin + 1;
}

/* The mean of the pixels of IMAGE below one pixel of the detector, -1 to 1. */
static void take_mean(const idv_image_t *image, region_t cell, float *value)
{
    unsigned sums[3] = {0};

    for (int y = cell.top; y < cell.top + cell.height; y++) {
        const unsigned char *pixel =
            idv_image_row(image, y) + cell.left * image->channels;

        for (int x = 0; x < cell.width; x++, pixel += image->channels)
            for (int c = 0; c < 3; c++)
                sums[c] += pixel[c];
    }
    for (int c = 0; c < 3; c++)
        value[c] =
            (float)sums[c] / (127.5F * (float)cell.width * (float)cell.height)
            - 1;
}

static void show_detector(const idv_face_finder_t *finder,
                          const idv_image_t *image, region_t region,
                          const fit_t *fit)
{
    idv_network_t *network = finder->detector.network;
    float *values = idv_network_values(network, 0);
    int stride = idv_network_stride(network, 0);

    for (int i = 0; i < DETECTOR_SIDE * DETECTOR_SIDE; i++)
        for (int c = 0; c < 3; c++)
            values[i * stride + c] = -1;
    for (int y = 0; y < fit->height; y++)
        for (int x = 0; x < fit->width; x++) {
            region_t cell;
            int right, bottom;

            divide(region.width, fit->width, x, &cell.left, &right);
            divide(region.height, fit->height, y, &cell.top, &bottom);
            cell.width = right - cell.left;
            cell.height = bottom - cell.top;
            cell.left += region.left;
            cell.top += region.top;
            take_mean(image, cell,
                      values
                          + ((fit->top + y) * DETECTOR_SIDE + fit->left + x)
                                * stride);
        }
}

/* The middle of an anchor's cell, 0 to 1. */
static idv_point_t anchor_at(int anchor)
{
    int fine = FINE_GRID * FINE_GRID * FINE_BOXES;
    int grid = anchor < fine ? FINE_GRID : COARSE_GRID;
    int cell =
        anchor < fine ? anchor / FINE_BOXES : (anchor - fine) / COARSE_BOXES;

    return (idv_point_t){(cell % grid + 0.5) / grid,
                         ((double)(cell / grid) + 0.5) / grid};
}

/* Decodes the anchor's REGRESSORS values into pixels of the picture. */
static void decode_box(const float *values, int anchor, region_t region,
                       const fit_t *fit, candidate_t *candidate)
{
    idv_point_t middle = anchor_at(anchor);
    double x = values[0] + middle.x * DETECTOR_SIDE;
    double y = values[1] + middle.y * DETECTOR_SIDE;
    double left = region.left - fit->left * fit->scale;
    double top = region.top - fit->top * fit->scale;

    candidate->box[0] = (x - values[2] / 2) * fit->scale + left;
    candidate->box[1] = (y - values[3] / 2) * fit->scale + top;
    candidate->box[2] = (x + values[2] / 2) * fit->scale + left;
    candidate->box[3] = (y + values[3] / 2) * fit->scale + top;
    for (int i = 0; i < KEY_POINTS; i++) {
        double px = values[4 + 2 * i] + middle.x * DETECTOR_SIDE;
        double py = values[5 + 2 * i] + middle.y * DETECTOR_SIDE;

        candidate->points[i] =
            (idv_point_t){px * fit->scale + left, py * fit->scale + top};
    }
}

static double area(const double *box)
{
    return (box[2] - box[0]) * (box[3] - box[1]);
}

/* The overlap of two boxes, as a share of the area that they cover together. */
static double overlap(const double *a, const double *b)
{
    double width = fmin(a[2], b[2]) - fmax(a[0], b[0]);
    double height = fmin(a[3], b[3]) - fmax(a[1], b[1]);
    double both = width > 0 && height > 0 ? width * height : 0;

    return both / (area(a) + area(b) - both + 1e-9);
}

static void add_weighted(candidate_t *sum, const candidate_t *one)
{
    for (int i = 0; i < 4; i++)
        sum->box[i] += one->score * one->box[i];
    for (int i = 0; i < KEY_POINTS; i++) {
        sum->points[i].x += one->score * one->points[i].x;
        sum->points[i].y += one->score * one->points[i].y;
    }
}

static void divide_by(candidate_t *sum, double weight)
{
    for (int i = 0; i < 4; i++)
        sum->box[i] /= weight;
    for (int i = 0; i < KEY_POINTS; i++) {
        sum->points[i].x /= weight;
        sum->points[i].y /= weight;
    }
}

/* Several anchors detect one face. The mean of overlapping boxes, weighted by
 * confidence, is better than the best box. */
static int merge(candidate_t *all, int count, candidate_t *merged, int most)
{
    int found = 0;

    while (found < most) {
        candidate_t *sum = &merged[found];
        const candidate_t *best = NULL;
        candidate_t first;
        double weight = 0;

        for (int i = 0; i < count; i++)
            if (all[i].score > 0 && (!best || all[i].score > best->score))
                best = &all[i];
        if (!best)
            break;
        first = *best;
        memset(sum, 0, sizeof(*sum));
        for (int i = 0; i < count; i++)
            if (all[i].score > 0
                && (&all[i] == best
                    || overlap(first.box, all[i].box) >= same_above)) {
                add_weighted(sum, &all[i]);
                weight += all[i].score;
                all[i].score = 0;
            }
        divide_by(sum, weight);
        sum->score = first.score;
        found++;
    }
    return found;
}

/* Detects the faces in REGION of IMAGE. */
static int detect(const idv_face_finder_t *finder, const idv_image_t *image,
                  region_t region, candidate_t *faces, int most)
{
    idv_network_t *network = finder->detector.network;
    fit_t fit = fit_region(region);
    candidate_t all[CANDIDATES_MAX];
    const float *scores, *boxes;
    int count = 0;

    show_detector(finder, image, region, &fit);
    idv_network_run(network);
    scores = idv_network_values(network, finder->scores);
    boxes = idv_network_values(network, finder->boxes);
    for (int i = 0; i < ANCHORS && count < CANDIDATES_MAX; i++) {
        candidate_t *candidate = &all[count];

        candidate->score = sigmoid(scores[i]);
        if (!(candidate->score > detected_above))
            continue;
        decode_box(boxes + i * REGRESSORS, i, region, &fit, candidate);
        if (candidate->box[2] > candidate->box[0]
            && candidate->box[3] > candidate->box[1])
            count++;
    }
    return merge(all, count, faces, most);
}

/* --- the mesh --- */

static double turn(double toward, double across)
{
    return atan2(toward, across) * degrees;
}

static idv_point_t middle_of(const idv_face_t *face, int one, int other)
{
    return (idv_point_t){(face->points[one].x + face->points[other].x) / 2,
                         (face->points[one].y + face->points[other].y) / 2};
}

/* Measures how the head is turned: yaw by the depths of the cheeks, pitch by
 * those of forehead and chin. */
static void measure(idv_face_t *face)
{
    const idv_point_t *p = face->points;
    idv_point_t right = middle_of(face, RIGHT_EYE_OUTER, RIGHT_EYE_INNER);
    idv_point_t left = middle_of(face, LEFT_EYE_OUTER, LEFT_EYE_INNER);

    face->yaw = turn(face->depth[LEFT_CHEEK] - face->depth[RIGHT_CHEEK],
                     hypot(p[LEFT_CHEEK].x - p[RIGHT_CHEEK].x,
                           p[LEFT_CHEEK].y - p[RIGHT_CHEEK].y));
    face->pitch =
        turn(face->depth[FOREHEAD] - face->depth[CHIN],
             hypot(p[CHIN].x - p[FOREHEAD].x, p[CHIN].y - p[FOREHEAD].y));
    face->roll = turn(left.y - right.y, left.x - right.x);
    face->eye_distance = hypot(left.x - right.x, left.y - right.y);
}

/* Fits the mesh to a detection; zero if it is not a face. */
static int lay_mesh(const idv_face_finder_t *finder, const idv_image_t *image,
                    const candidate_t *found, idv_face_t *face)
{
    static const idv_face_tone_t tone = {1 / 255.0F, {0, 0, 0}};
    idv_network_t *network = finder->mesh.network;
    const idv_point_t *eyes = found->points;
    double angle = atan2(eyes[1].y - eyes[0].y, eyes[1].x - eyes[0].x);
    double size =
        fmax(found->box[2] - found->box[0], found->box[3] - found->box[1])
        * mesh_margin / MESH_SIDE;
    idv_face_view_t view = {.a = cos(angle) * size, .b = sin(angle) * size};
    double half = MESH_SIDE / 2.0;
    const float *points;

    view.left =
        (found->box[0] + found->box[2]) / 2 - view.a * half + view.b * half;
    view.top =
        (found->box[1] + found->box[3]) / 2 - view.b * half - view.a * half;
    idv_face_view_fill(image, &view, &tone, network, 0);
    idv_network_run(network);
    face->presence = sigmoid(*idv_network_values(network, finder->presence));
    points = idv_network_values(network, finder->points);
    for (int i = 0; i < IDV_FACE_POINTS; i++) {
        face->points[i] =
            idv_face_view_point(&view, points[3 * i], points[3 * i + 1]);
        face->depth[i] = points[3 * i + 2] * size;
    }
    face->left = found->box[0];
    face->top = found->box[1];
    face->right = found->box[2];
    face->bottom = found->box[3];
    face->score = found->score;
    measure(face);
    return face->presence >= 0.5 && isfinite(face->yaw) && isfinite(face->pitch)
        && isfinite(face->roll) && face->eye_distance >= 1;
}

/* --- detector and mesh --- */

/* Runs the detector again on the surroundings of a candidate, of which the face
 * fills half. */
static int look_closer(const idv_face_finder_t *finder,
                       const idv_image_t *image, candidate_t *candidate)
{
    double x = (candidate->box[0] + candidate->box[2]) / 2;
    double y = (candidate->box[1] + candidate->box[3]) / 2;
    double reach = fmax(candidate->box[2] - candidate->box[0],
                        candidate->box[3] - candidate->box[1]);
    int left = (int)fmax(x - reach, 0), top = (int)fmax(y - reach, 0);
    int right = (int)fmin(x + reach, image->width);
    int bottom = (int)fmin(y + reach, image->height);
    candidate_t closer[IDV_FACES_MAX];
    int count, best = 0;

    if (right - left < LEAST_CROP || bottom - top < LEAST_CROP)
        return 0;
    count =
        detect(finder, image, (region_t){left, top, right - left, bottom - top},
               closer, IDV_FACES_MAX);
    for (int i = 1; i < count; i++)
        if (area(closer[i].box) > area(closer[best].box))
            best = i;
    if (count > 0)
        *candidate = closer[best];
    return count > 0;
}

static int is_known(const idv_face_t *faces, int count,
                    const candidate_t *candidate)
{
    double x = (candidate->box[0] + candidate->box[2]) / 2;
    double y = (candidate->box[1] + candidate->box[3]) / 2;
    double near = 0.4
                * fmax(candidate->box[2] - candidate->box[0],
                       candidate->box[3] - candidate->box[1]);

    for (int i = 0; i < count; i++)
        if (hypot((faces[i].left + faces[i].right) / 2 - x,
                  (faces[i].top + faces[i].bottom) / 2 - y)
            < near)
            return 1;
    return 0;
}

/* Collects the candidates in the tiles of IMAGE: COUNT in each direction, each
 * with SHARE of the longer side. */
static int detect_tiles(const idv_face_finder_t *finder,
                        const idv_image_t *image, int tiles, double share,
                        candidate_t *found)
{
    int side = image->width > image->height ? image->width : image->height;
    int tile = tiles == 1 ? side : (int)(side * share);
    region_t region = {0, 0, tile < image->width ? tile : image->width,
                       tile < image->height ? tile : image->height};
    int count = 0;

    for (int i = 0; i < tiles * tiles && count < CANDIDATES_MAX; i++) {
        int steps = tiles > 1 ? tiles - 1 : 1;

        region.left = (image->width - region.width) * (i % tiles) / steps;
        region.top = (image->height - region.height) * (i / tiles) / steps;
        count += detect(finder, image, region, found + count,
                        CANDIDATES_MAX - count < IDV_FACES_MAX
                            ? CANDIDATES_MAX - count
                            : IDV_FACES_MAX);
    }
    return count;
}

static void put_largest_first(idv_face_t *faces, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0
                        && faces[k].right - faces[k].left
                               > faces[k - 1].right - faces[k - 1].left;
             k--) {
            idv_face_t smaller = faces[k - 1];

            faces[k - 1] = faces[k];
            faces[k] = smaller;
        }
}

int idv_face_find(idv_face_finder_t *finder, const idv_image_t *image,
                  idv_face_size_t size, idv_face_t faces[IDV_FACES_MAX])
{
    static const struct {
        int tiles;
        double share;
    } levels[] = {{1, 1}, {2, 0.62}, {3, 0.45}, {5, 0.28}};
    int last = size == IDV_FACE_LARGE      ? 1
             : size == IDV_FACE_PORTRAIT ? 3
                                         : 4;
    int count = 0;

    /* A false detection, for example print seen from afar, must not end the
     * search for smaller faces. */
    for (int i = 0; i < last && count == 0; i++) {
        candidate_t found[CANDIDATES_MAX];
        int candidates = detect_tiles(finder, image, levels[i].tiles,
                                      levels[i].share, found);

        for (int k = 0; k < candidates && count < IDV_FACES_MAX; k++)
            if (!is_known(faces, count, &found[k])
                && look_closer(finder, image, &found[k])
                && !is_known(faces, count, &found[k])
                && lay_mesh(finder, image, &found[k], &faces[count]))
                count++;
    }
    put_largest_first(faces, count);
    return count;
}
