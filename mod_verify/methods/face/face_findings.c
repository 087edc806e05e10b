/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/face/face_findings.h"

#include <math.h>
#include <string.h>

#include "core/json_writer.h"
#include "methods/findings_reader.h"

enum {
    EXPECTED_BYTES = 2048,
    PART_NAME_MAX = 32,
    FACES_MAX = 8,
    ANGLE_MAX = 1800,      /* tenths of a degree */
    DISTANCE_MAX = 300000, /* tenths of a pixel */
    BRIGHTNESS_MAX = 255,
    COSINE_MAX = 1000, /* thousandths */
    FRAME_MEMBERS = 8,
    REFERENCE_MEMBERS = 5,
    ROOT_MEMBERS = 3
};

static const struct {
    const char *part, *value;
} sources[IDV_PORTRAIT_SOURCE_COUNT] = {
#define X(name, part, value) [IDV_PORTRAIT_SOURCE_##name] = {part, value},
    IDV_PORTRAIT_SOURCES(X)
#undef X
};

const char *idv_portrait_source_part(idv_portrait_source_t source)
{
    return source == IDV_PORTRAIT_SOURCE_NONE ? NULL : sources[source].part;
}

const char *idv_portrait_source_value(idv_portrait_source_t source)
{
    return source == IDV_PORTRAIT_SOURCE_NONE ? NULL : sources[source].value;
}

idv_portrait_source_t idv_portrait_source_find(const char *name)
{
    for (int i = 0; i < IDV_PORTRAIT_SOURCE_COUNT; i++)
        if (strcmp(sources[i].part, name) == 0)
            return (idv_portrait_source_t)i;
    return IDV_PORTRAIT_SOURCE_NONE;
}

/* --- writing --- */

static void put_units(idv_json_writer_t *writer, const char *key, double value,
                      double units)
{
    idv_json_put_integer(writer, key, lround(value * units));
}

static void put_cosine(idv_json_writer_t *writer, const char *key, double value)
{
    if (value < -1)
        idv_json_put_null(writer, key);
    else
        put_units(writer, key, value, COSINE_MAX);
}

static void put_frame(idv_json_writer_t *writer, const char *part,
                      const idv_face_frame_t *frame)
{
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "part", part);
    idv_json_put_integer(writer, "faces", frame->faces);
    put_units(writer, "yaw", frame->yaw, 10);
    put_units(writer, "pitch", frame->pitch, 10);
    put_units(writer, "roll", frame->roll, 10);
    put_units(writer, "eye_distance", frame->eye_distance, 10);
    put_units(writer, "brightness", frame->brightness, 1);
    idv_json_open_object(writer, "cosines");
    put_cosine(writer, "to_still", frame->to_still);
    put_cosine(writer, "to_former", frame->to_former);
    idv_json_close_object(writer);
    idv_json_close_object(writer);
}

static void put_reference(idv_json_writer_t *writer,
                          const idv_face_reference_t *reference)
{
    if (reference->source == IDV_PORTRAIT_SOURCE_NONE) {
        idv_json_put_null(writer, "reference");
        return;
    }
    idv_json_open_object(writer, "reference");
    idv_json_put_text(writer, "part",
                      idv_portrait_source_part(reference->source));
    idv_json_put_integer(writer, "faces", reference->faces);
    put_units(writer, "eye_distance", reference->eye_distance, 10);
    put_cosine(writer, "first", reference->first);
    put_cosine(writer, "second", reference->second);
    idv_json_close_object(writer);
}

idv_error_t *idv_face_findings_write(const idv_face_findings_t *findings,
                                     idv_bytes_t *text, apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, EXPECTED_BYTES, pool);
    idv_json_open_object(&writer, NULL);
    idv_json_open_array(&writer, "frames");
    for (int i = 0; i < findings->frame_count; i++)
        put_frame(&writer, idv_liveness_part_name(i), &findings->frames[i]);
    idv_json_close_array(&writer);
    put_reference(&writer, &findings->reference);
    put_units(&writer, "milliseconds", findings->milliseconds, 1);
    idv_json_close_object(&writer);
    text->data =
        (const unsigned char *)idv_json_writer_text(&writer, &text->length);
    if (text->length > IDV_FACE_FINDINGS_MAX)
        return idv_error_internal(pool, "findings are too long");
    return NULL;
}

/* --- reading --- */

static double read_cosine(idv_findings_reading_t *reading, const json_t *object,
                          const char *key)
{
    if (json_is_null(idv_findings_member(reading, object, key)))
        return IDV_FACE_NOT_COMPARED;
    return (double)idv_findings_integer(reading, object, key, -COSINE_MAX,
                                        COSINE_MAX)
         / COSINE_MAX;
}

static double read_tenths(idv_findings_reading_t *reading, const json_t *object,
                          const char *key, int least, int most)
{
    return (double)idv_findings_integer(reading, object, key, least, most) / 10;
}

/* Reads the findings about the part INDEX. Measurements of a face that was not
 * found are a fault. */
static void read_frame(idv_findings_reading_t *reading, const json_t *object,
                       int index, idv_face_frame_t *frame)
{
    const json_t *cosines;
    const char *part;

    if (!idv_findings_has_members(reading, object, FRAME_MEMBERS, "frames"))
        return;
    part = idv_findings_text(reading, object, "part", PART_NAME_MAX);
    if (!part || strcmp(part, idv_liveness_part_name(index)) != 0)
        idv_findings_fault(reading, "part");
    frame->faces =
        (int)idv_findings_integer(reading, object, "faces", 0, FACES_MAX);
    frame->yaw = read_tenths(reading, object, "yaw", -ANGLE_MAX, ANGLE_MAX);
    frame->pitch = read_tenths(reading, object, "pitch", -ANGLE_MAX, ANGLE_MAX);
    frame->roll = read_tenths(reading, object, "roll", -ANGLE_MAX, ANGLE_MAX);
    frame->eye_distance =
        read_tenths(reading, object, "eye_distance", 0, DISTANCE_MAX);
    frame->brightness = (double)idv_findings_integer(
        reading, object, "brightness", 0, BRIGHTNESS_MAX);
    cosines = idv_findings_member(reading, object, "cosines");
    if (!idv_findings_has_members(reading, cosines, 2, "cosines"))
        return;
    frame->to_still = read_cosine(reading, cosines, "to_still");
    frame->to_former = read_cosine(reading, cosines, "to_former");
    if (frame->faces == 0
        && (frame->eye_distance > 0 || frame->to_still >= -1
            || frame->to_former >= -1))
        idv_findings_fault(reading, "faces");
}

static void read_reference(idv_findings_reading_t *reading,
                           idv_face_reference_t *reference)
{
    const json_t *object =
        idv_findings_member(reading, reading->root, "reference");
    const char *part;

    reference->source = IDV_PORTRAIT_SOURCE_NONE;
    reference->first = reference->second = IDV_FACE_NOT_COMPARED;
    if (!object || json_is_null(object)
        || !idv_findings_has_members(reading, object, REFERENCE_MEMBERS,
                                     "reference"))
        return;
    part = idv_findings_text(reading, object, "part", PART_NAME_MAX);
    reference->source =
        part ? idv_portrait_source_find(part) : IDV_PORTRAIT_SOURCE_NONE;
    if (reference->source == IDV_PORTRAIT_SOURCE_NONE)
        idv_findings_fault(reading, "part");
    reference->faces =
        (int)idv_findings_integer(reading, object, "faces", 0, FACES_MAX);
    reference->eye_distance =
        read_tenths(reading, object, "eye_distance", 0, DISTANCE_MAX);
    reference->first = read_cosine(reading, object, "first");
    reference->second = read_cosine(reading, object, "second");
    if ((reference->first < -1) != (reference->second < -1)
        || (reference->faces == 0 && reference->first >= -1))
        idv_findings_fault(reading, "reference");
}

idv_error_t *idv_face_findings_read(idv_bytes_t text, idv_face_findings_t **out,
                                    apr_pool_t *pool)
{
    idv_face_findings_t *findings = apr_pcalloc(pool, sizeof(*findings));
    idv_findings_reading_t reading;
    const json_t *frames, *frame;
    size_t index;

    IDV_TRY(idv_findings_begin(&reading, text, IDV_FACE_FINDINGS_MAX, pool));
    (void)idv_findings_has_members(&reading, reading.root, ROOT_MEMBERS,
                                   "findings");
    frames = idv_findings_array(&reading, reading.root, "frames",
                                IDV_LIVENESS_PARTS);
    json_array_foreach (frames, index, frame)
        read_frame(&reading, frame, (int)index, &findings->frames[index]);
    findings->frame_count = (int)json_array_size(frames);
    if (findings->frame_count != 1
        && findings->frame_count != IDV_LIVENESS_PARTS)
        idv_findings_fault(&reading, "frames");
    read_reference(&reading, &findings->reference);
    findings->milliseconds = idv_findings_number(
        &reading, reading.root, "milliseconds", IDV_FINDINGS_MILLISECONDS_MAX);
    IDV_TRY(idv_findings_end(&reading));
    findings->pool = pool;
    *out = findings;
    return NULL;
}
