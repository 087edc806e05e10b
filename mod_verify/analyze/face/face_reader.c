/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/face_reader.h"

#include <math.h>
#include <string.h>

#include "analyze/face/face_embedding.h"
#include "analyze/face/model_file.h"
#include "analyze/portrait_decode.h"
#include "methods/face/face_findings.h"
#include "methods/passport/chip_dump.h"
#include "methods/passport/portrait.h"

enum {
    FRAME_SIDE = 640, /* pixels to which a frame is decoded */
    STILL_SIDE = 1000,
    PORTRAIT_SIDE = 2000, /* of a document in a photo */
};

typedef struct {
    idv_face_finder_t *finder;
    idv_face_models_t *models;
} face_reader_t;

/* The face of one picture. */
typedef struct {
    int faces;
    idv_face_t face; /* the largest */
    double brightness;
    idv_face_embedding_t embedding;
} sight_t;

typedef struct {
    const face_reader_t *reader;
    const idv_analysis_request_t *request;
    idv_time_t begin; /* of processor time */
    idv_face_findings_t findings;
    sight_t still;
    apr_pool_t *pool;
} reading_t;

/* The mean brightness of the box of FACE. */
static double brightness_of(const idv_image_t *image, const idv_face_t *face)
{
    int left = (int)fmax(0, face->left), top = (int)fmax(0, face->top);
    int right = (int)fmin(image->width, face->right);
    int bottom = (int)fmin(image->height, face->bottom);
    double sum = 0;
    int count = 0;

    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++, count++) {
            const unsigned char *pixel =
                idv_image_row(image, y) + x * image->channels;

            sum += 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
        }
    return count > 0 ? sum / count : 0;
}

typedef idv_error_t *decode_t(idv_bytes_t file, int side,
                              idv_decoded_image_t *out, apr_pool_t *pool,
                              apr_pool_t *scratch);

typedef struct {
    int side; /* size to decode to */
    idv_face_size_t size;
    int by_both; /* networks */
    decode_t *decode;
} look_t;

/* Fills SIGHT with the face in FILE; it stays empty if FILE is not a
 * picture. */
static idv_error_t *look_at(const reading_t *reading, idv_bytes_t file,
                            const look_t *look, sight_t *sight)
{
    idv_face_t *faces;
    idv_decoded_image_t decoded;
    apr_pool_t *scratch;
    idv_error_t *error;

    if (apr_pool_create(&scratch, reading->pool) != APR_SUCCESS)
        return idv_error_internal(reading->pool, "no pool");
    memset(sight, 0, sizeof(*sight));
    if (file.length == 0)
        return NULL;
    error = look->decode(file, look->side, &decoded, scratch, scratch);
    if (error) {
        int is_theirs = error->code == IDV_E_PARAMETER_INVALID;

        return is_theirs ? NULL : error;
    }
    faces = apr_palloc(scratch, IDV_FACES_MAX * sizeof(*faces));
    sight->faces = idv_face_find(reading->reader->finder, decoded.image,
                                 look->size, faces);
    if (sight->faces > 0) {
        sight->face = faces[0];
        sight->brightness = brightness_of(decoded.image, &faces[0]);
        if (look->by_both)
            idv_face_embed(reading->reader->models, decoded.image, &faces[0],
                           &sight->embedding);
        else
            idv_face_embed_first(reading->reader->models, decoded.image,
                                 &faces[0], &sight->embedding);
    }
    apr_pool_destroy(scratch);
    return NULL;
}

static int is_time_left(const reading_t *reading)
{
    return idv_processor_time_used() - reading->begin
         < reading->request->milliseconds;
}

static const idv_analysis_part_t *find_part(const reading_t *reading,
                                            const char *name)
{
    const idv_analysis_request_t *request = reading->request;

    for (int i = 0; i < request->part_count; i++)
        if (strcmp(request->parts[i].name, name) == 0)
            return &request->parts[i];
    return NULL;
}

static double compare_first(const sight_t *one, const sight_t *other)
{
    if (one->faces == 0 || other->faces == 0)
        return IDV_FACE_NOT_COMPARED;
    return idv_face_compare(&one->embedding, &other->embedding).first;
}

static void describe(const sight_t *sight, const sight_t *still,
                     const sight_t *former, idv_face_frame_t *frame)
{
    frame->faces = sight->faces;
    frame->to_still = compare_first(sight, still);
    frame->to_former = compare_first(sight, former);
    if (sight->faces == 0)
        return;
    frame->yaw = sight->face.yaw;
    frame->pitch = sight->face.pitch;
    frame->roll = sight->face.roll;
    frame->eye_distance = sight->face.eye_distance;
    frame->brightness = sight->brightness;
}

/* The pictures of the challenge, if there are any in addition to the still. */
static idv_error_t *read_frames(reading_t *reading)
{
    static const look_t look = {FRAME_SIDE, IDV_FACE_LARGE, 0,
                                idv_image_decode};
    idv_face_findings_t *findings = &reading->findings;
    sight_t former = reading->still, sight;

    for (int i = 1; i < IDV_LIVENESS_PARTS; i++) {
        const idv_analysis_part_t *part =
            find_part(reading, idv_liveness_part_name(i));

        /* The pictures of an aborted challenge are not evaluated. */
        if (!part) {
            findings->frame_count = 1;
            return NULL;
        }
        memset(&sight, 0, sizeof(sight));
        if (is_time_left(reading))
            IDV_TRY(look_at(reading, part->bytes, &look, &sight));
        describe(&sight, &reading->still, &former, &findings->frames[i]);
        findings->frame_count = i + 1;
        former = sight;
    }
    return NULL;
}

/* The picture of the person in PART; for a chip's files, the one in DG2. Empty
 * if there is none. */
static idv_bytes_t picture_of(const reading_t *reading,
                              idv_portrait_source_t source,
                              const idv_analysis_part_t *part)
{
    idv_bytes_t none = {NULL, 0}, file;
    idv_chip_dump_t *dump;
    idv_portrait_t portrait;

    if (source != IDV_PORTRAIT_SOURCE_CHIP)
        return part->bytes;
    if (idv_chip_dump_read((const char *)part->bytes.data, part->bytes.length,
                           &dump, reading->pool))
        return none;
    file = dump->files[IDV_CHIP_DG2];
    if (file.length == 0 || idv_portrait_find(file, &portrait, reading->pool))
        return none;
    return (idv_bytes_t){file.data + portrait.offset,
                         (apr_size_t)portrait.length};
}

/* Compares the best available portrait with the still. */
static idv_error_t *read_reference(reading_t *reading)
{
    look_t look = {PORTRAIT_SIDE, IDV_FACE_ANY, 1, idv_portrait_decode};
    idv_face_reference_t *reference = &reading->findings.reference;
    const idv_analysis_part_t *part = NULL;
    idv_face_similarity_t alike;
    sight_t portrait;
    int source = 0;

    reference->source = IDV_PORTRAIT_SOURCE_NONE;
    while (source < IDV_PORTRAIT_SOURCE_COUNT
           && !(part = find_part(reading, idv_portrait_source_part(
                                              (idv_portrait_source_t)source))))
        source++;
    if (!part)
        return NULL;
    if (source == IDV_PORTRAIT_SOURCE_DOCUMENT)
        look.decode = idv_image_decode; /* a photo of the person */
    IDV_TRY(look_at(reading,
                    picture_of(reading, (idv_portrait_source_t)source, part),
                    &look, &portrait));
    reference->source = (idv_portrait_source_t)source;
    reference->faces = portrait.faces;
    reference->first = reference->second = IDV_FACE_NOT_COMPARED;
    if (portrait.faces == 0)
        return NULL;
    reference->eye_distance = portrait.face.eye_distance;
    if (reading->still.faces == 0)
        return NULL;
    alike = idv_face_compare(&portrait.embedding, &reading->still.embedding);
    reference->first = alike.first;
    reference->second = alike.second;
    return NULL;
}

static idv_error_t *check_names(const idv_analysis_request_t *request,
                                apr_pool_t *pool)
{
    for (int i = 0; i < request->part_count; i++)
        if (idv_liveness_part_index(request->parts[i].name) < 0
            && idv_portrait_source_find(request->parts[i].name)
                   == IDV_PORTRAIT_SOURCE_NONE)
            return idv_error_internal(pool, "a part that is not a picture");
    return NULL;
}

/* Non-zero if all models are present; only some of them are a fault. */
static int has_models(const char *directory, apr_pool_t *pool)
{
    idv_bytes_t file;
    apr_pool_t *scratch;
    idv_error_t *error;

    if (apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return 0;
    error = idv_model_map(directory, IDV_MODEL_FACE_DETECTOR, &file, scratch);
    apr_pool_destroy(scratch);
    return error == NULL;
}

idv_error_t *idv_face_reader_open(const char *models_directory, void **reader,
                                  apr_pool_t *pool)
{
    face_reader_t *opened = apr_pcalloc(pool, sizeof(*opened));

    *reader = NULL;
    if (!models_directory || !has_models(models_directory, pool))
        return NULL;
    IDV_TRY(idv_face_finder_open(models_directory, &opened->finder, pool));
    IDV_TRY(idv_face_models_open(models_directory, &opened->models, pool));
    *reader = opened;
    return NULL;
}

idv_error_t *idv_face_reader_read(void *reader,
                                  const idv_analysis_request_t *request,
                                  idv_bytes_t *findings, apr_pool_t *pool)
{
    static const look_t look = {STILL_SIDE, IDV_FACE_LARGE, 1,
                                idv_image_decode};
    reading_t *reading = apr_pcalloc(pool, sizeof(*reading));
    const idv_analysis_part_t *still;
    sight_t nobody = {0};

    if (!reader)
        return idv_error_internal(pool, "the models for faces are missing");
    IDV_TRY(check_names(request, pool));
    reading->reader = reader;
    reading->request = request;
    reading->pool = pool;
    reading->begin = idv_processor_time_used();
    still = find_part(reading, idv_liveness_part_name(IDV_LIVENESS_STILL));
    if (!still)
        return idv_error_internal(pool, "the still picture is missing");
    IDV_TRY(look_at(reading, still->bytes, &look, &reading->still));
    describe(&reading->still, &nobody, &nobody,
             &reading->findings.frames[IDV_LIVENESS_STILL]);
    reading->findings.frame_count = 1;
    IDV_TRY(read_frames(reading));
    IDV_TRY(read_reference(reading));
    reading->findings.milliseconds =
        (double)(idv_processor_time_used() - reading->begin);
    return idv_face_findings_write(&reading->findings, findings, pool);
}
