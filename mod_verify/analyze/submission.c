/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/submission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#include "analyze/image_decode.h"
#include "core/json.h"

static idv_error_t *receive(int stream, void *buffer, apr_size_t length,
                            apr_pool_t *pool)
{
    char *at = buffer;

    while (length > 0) {
        ssize_t count = read(stream, at, length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return idv_error_apr(pool, errno, "cannot read from the stream");
        if (count == 0)
            return idv_error_internal(pool, "the stream ended early");
        at += count;
        length -= (apr_size_t)count;
    }
    return NULL;
}

static idv_error_t *send_all(int stream, const void *buffer, apr_size_t length,
                             apr_pool_t *pool)
{
    const char *at = buffer;

    while (length > 0) {
        ssize_t count = write(stream, at, length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return idv_error_apr(pool, errno, "cannot write to the stream");
        at += count;
        length -= (apr_size_t)count;
    }
    return NULL;
}

static idv_error_t *receive_length(int stream, apr_size_t least,
                                   apr_size_t most, apr_size_t *length,
                                   apr_pool_t *pool)
{
    unsigned char bytes[4];

    IDV_TRY(receive(stream, bytes, sizeof(bytes), pool));
    *length = (apr_size_t)bytes[0] << 24 | (apr_size_t)bytes[1] << 16
            | (apr_size_t)bytes[2] << 8 | bytes[3];
    if (*length < least || *length > most)
        return idv_error_internal(pool, "a length outside of its limits");
    return NULL;
}

static idv_error_t *send_counted(int stream, idv_bytes_t bytes,
                                 apr_pool_t *pool)
{
    apr_size_t n = bytes.length;
    unsigned char length[4] = {(unsigned char)(n >> 24),
                               (unsigned char)(n >> 16),
                               (unsigned char)(n >> 8), (unsigned char)n};

    IDV_TRY(send_all(stream, length, sizeof(length), pool));
    return send_all(stream, bytes.data, bytes.length, pool);
}

static idv_error_t *parse_side(json_t *value, idv_submission_side_t *side,
                               apr_pool_t *pool)
{
    const char *name = json_string_value(json_object_get(value, "name"));
    json_int_t length = json_integer_value(json_object_get(value, "length"));

    if (!name || (strcmp(name, "front") != 0 && strcmp(name, "back") != 0))
        return idv_error_internal(pool, "a side without a name");
    if (length < 1 || length > IDV_IMAGE_FILE_MAX)
        return idv_error_internal(pool, "an image outside of its limits");
    side->name = apr_pstrdup(pool, name);
    side->file.length = (apr_size_t)length;
    return NULL;
}

static idv_error_t *parse_header(const char *text, apr_size_t length,
                                 idv_submission_t *submission, apr_pool_t *pool)
{
    json_t *header, *sides, *milliseconds;

    IDV_TRY(idv_json_parse(text, length, &header, pool));
    if (json_integer_value(json_object_get(header, "version"))
        != IDV_ANALYZE_VERSION)
        return idv_error_internal(pool, "a request of another version");
    sides = json_object_get(header, "sides");
    if (json_array_size(sides) < 1
        || json_array_size(sides) > IDV_ANALYZE_SIDES_MAX)
        return idv_error_internal(pool, "a request without one or two sides");
    submission->now = json_integer_value(json_object_get(header, "now"));
    milliseconds =
        json_object_get(json_object_get(header, "limits"), "milliseconds");
    if (json_integer_value(milliseconds) < 1
        || json_integer_value(milliseconds) > IDV_ANALYZE_MILLISECONDS_MAX)
        return idv_error_internal(pool, "a request without a time limit");
    submission->milliseconds = (int)json_integer_value(milliseconds);
    submission->side_count = (int)json_array_size(sides);
    for (int i = 0; i < submission->side_count; i++)
        IDV_TRY(parse_side(json_array_get(sides, (size_t)i),
                           &submission->sides[i], pool));
    return NULL;
}

static apr_status_t free_file(void *data)
{
    free(data);
    return APR_SUCCESS;
}

idv_error_t *idv_submission_receive(int stream, idv_submission_t *submission,
                                    apr_pool_t *pool)
{
    char header[IDV_ANALYZE_HEADER_MAX];
    apr_size_t length;

    memset(submission, 0, sizeof(*submission));
    IDV_TRY(receive_length(stream, 1, sizeof(header), &length, pool));
    IDV_TRY(receive(stream, header, length, pool));
    IDV_TRY(parse_header(header, length, submission, pool));
    for (int i = 0; i < submission->side_count; i++) {
        idv_bytes_t *file = &submission->sides[i].file;
        unsigned char *data = malloc(file->length);

        if (!data)
            return idv_error_internal(pool, "no memory for an image file");
        apr_pool_cleanup_register(pool, data, free_file, apr_pool_cleanup_null);
        IDV_TRY(receive(stream, data, file->length, pool));
        file->data = data;
    }
    return NULL;
}

idv_error_t *idv_submission_send(int stream, const idv_submission_t *submission,
                                 apr_pool_t *pool)
{
    json_t *sides = json_array();
    json_t *header = idv_json_own(
        json_pack("{s:i, s:I, s:o, s:{s:i}}", "version", IDV_ANALYZE_VERSION,
                  "now", (json_int_t)submission->now, "sides", sides, "limits",
                  "milliseconds", submission->milliseconds),
        pool);
    const char *text;
    apr_size_t length;

    for (int i = 0; i < submission->side_count; i++)
        json_array_append_new(
            sides,
            json_pack("{s:s, s:I}", "name", submission->sides[i].name, "length",
                      (json_int_t)submission->sides[i].file.length));
    IDV_TRY(idv_json_dump(header, &text, &length, pool));
    IDV_TRY(send_counted(
        stream, (idv_bytes_t){(const unsigned char *)text, length}, pool));
    for (int i = 0; i < submission->side_count; i++)
        IDV_TRY(send_all(stream, submission->sides[i].file.data,
                         submission->sides[i].file.length, pool));
    return NULL;
}

idv_error_t *idv_findings_send(int stream, idv_bytes_t findings,
                               apr_pool_t *pool)
{
    if (findings.length > IDV_ANALYZE_FINDINGS_MAX)
        return idv_error_internal(pool, "findings are too long");
    return send_counted(stream, findings, pool);
}

void idv_findings_send_time_out(int stream)
{
    const unsigned char length[4] = {0};
    int before = errno;

    /* Where four bytes do not go into the buffer, nobody listens. */
    if (write(stream, length, sizeof(length)) < 0)
        errno = before;
}

idv_error_t *idv_findings_receive(int stream, idv_bytes_t *findings,
                                  apr_pool_t *pool)
{
    unsigned char *data;
    apr_size_t length;

    IDV_TRY(
        receive_length(stream, 0, IDV_ANALYZE_FINDINGS_MAX, &length, pool));
    data = apr_palloc(pool, length);
    IDV_TRY(receive(stream, data, length, pool));
    *findings = (idv_bytes_t){data, length};
    return NULL;
}
