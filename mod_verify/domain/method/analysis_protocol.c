/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/method/analysis_protocol.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"

/* --- lengths --- */

void idv_analysis_length_encode(apr_size_t length, unsigned char *to)
{
    for (int i = 0; i < IDV_ANALYZE_LENGTH_SIZE; i++)
        to[i] = (unsigned char)(length >> (24 - 8 * i));
}

apr_size_t idv_analysis_length_decode(const unsigned char *from)
{
    apr_size_t length = 0;

    for (int i = 0; i < IDV_ANALYZE_LENGTH_SIZE; i++)
        length = length << 8 | from[i];
    return length;
}

/* --- who reads what --- */

static const char *const kind_values[IDV_ANALYSIS_KIND_COUNT] = {
    [IDV_ANALYSIS_ALL] = "all",
    [IDV_ANALYSIS_SIGNED] = "signed",
    [IDV_ANALYSIS_PICTURES] = "pictures",
};

idv_analysis_kind_t idv_analysis_kind(idv_method_t method)
{
    return method == IDV_METHOD_MDL || method == IDV_METHOD_NFC_PASSPORT
             ? IDV_ANALYSIS_SIGNED
             : IDV_ANALYSIS_PICTURES;
}

const char *idv_analysis_kind_value(idv_analysis_kind_t kind)
{
    return kind_values[kind];
}

idv_analysis_kind_t idv_analysis_kind_parse(const char *value)
{
    int kind = 0;

    while (kind < IDV_ANALYSIS_KIND_COUNT
           && strcmp(kind_values[kind], value) != 0)
        kind++;
    return (idv_analysis_kind_t)kind;
}

/* --- a request --- */

#define EXPECTED_HEADER 300 /* bytes */

static void write_header(idv_json_writer_t *header,
                         const idv_analysis_request_t *request,
                         apr_pool_t *pool)
{
    idv_json_writer_init(header, EXPECTED_HEADER, pool);
    idv_json_open_object(header, NULL);
    idv_json_put_integer(header, "version", IDV_ANALYZE_VERSION);
    idv_json_put_text(header, "method", request->method);
    idv_json_put_integer(header, "now", request->now);
    idv_json_open_array(header, "parts");
    for (int i = 0; i < request->part_count; i++) {
        idv_json_open_object(header, NULL);
        idv_json_put_text(header, "name", request->parts[i].name);
        idv_json_put_integer(header, "length",
                             (apr_int64_t)request->parts[i].bytes.length);
        idv_json_close_object(header);
    }
    idv_json_close_array(header);
    idv_json_open_object(header, "limits");
    idv_json_put_integer(header, "milliseconds", request->milliseconds);
    idv_json_close_object(header);
    idv_json_close_object(header);
}

idv_error_t *idv_analysis_request_encode(const idv_analysis_request_t *request,
                                         idv_bytes_t *head, apr_pool_t *pool)
{
    idv_json_writer_t header;
    unsigned char *bytes;
    apr_size_t length;
    const char *text;

    write_header(&header, request, pool);
    text = idv_json_writer_text(&header, &length);
    if (length > IDV_ANALYZE_HEADER_MAX)
        return idv_error_internal(pool, "a request with too long a header");
    bytes = apr_palloc(pool, IDV_ANALYZE_LENGTH_SIZE + length);
    idv_analysis_length_encode(length, bytes);
    memcpy(bytes + IDV_ANALYZE_LENGTH_SIZE, text, length);
    *head = (idv_bytes_t){bytes, IDV_ANALYZE_LENGTH_SIZE + length};
    return NULL;
}

static idv_error_t *decode_part(const json_t *value, idv_analysis_part_t *part,
                                apr_pool_t *pool)
{
    const char *name = json_string_value(json_object_get(value, "name"));
    json_int_t length = json_integer_value(json_object_get(value, "length"));

    if (!name || !*name)
        return idv_error_internal(pool, "a part without a name");
    if (length < 1 || length > IDV_ANALYZE_PART_MAX)
        return idv_error_internal(pool, "a part that is too small or too "
                                        "large");
    part->name = apr_pstrdup(pool, name);
    part->bytes = (idv_bytes_t){NULL, (apr_size_t)length};
    return NULL;
}

static idv_error_t *decode_parts(const json_t *parts,
                                 idv_analysis_request_t *request,
                                 apr_pool_t *pool)
{
    size_t count = json_array_size(parts);

    if (count < 1 || count > IDV_ANALYZE_PARTS_MAX)
        return idv_error_internal(pool, "a request with no parts or too many");
    request->part_count = (int)count;
    for (size_t i = 0; i < count; i++)
        IDV_TRY(
            decode_part(json_array_get(parts, i), &request->parts[i], pool));
    return NULL;
}

idv_error_t *idv_analysis_request_decode(idv_bytes_t header,
                                         idv_analysis_request_t *request,
                                         apr_pool_t *pool)
{
    const json_t *limits;
    const char *method;
    json_int_t milliseconds;
    json_t *object;

    memset(request, 0, sizeof(*request));
    if (idv_json_parse((const char *)header.data, header.length, &object, pool))
        return idv_error_internal(pool, "a request with a header that is not "
                                        "JSON");
    if (json_integer_value(json_object_get(object, "version"))
        != IDV_ANALYZE_VERSION)
        return idv_error_internal(pool, "a request of another version");
    method = json_string_value(json_object_get(object, "method"));
    if (!method)
        return idv_error_internal(pool, "a request without a method");
    request->method = apr_pstrdup(pool, method);
    request->now = json_integer_value(json_object_get(object, "now"));
    limits = json_object_get(object, "limits");
    milliseconds = json_integer_value(json_object_get(limits, "milliseconds"));
    if (milliseconds < 1 || milliseconds > IDV_ANALYZE_MILLISECONDS_MAX)
        return idv_error_internal(pool, "a request without a time limit");
    request->milliseconds = (int)milliseconds;
    return decode_parts(json_object_get(object, "parts"), request, pool);
}

/* --- an answer --- */

idv_error_t *
idv_analysis_answer_encode(idv_bytes_t findings,
                           unsigned char head[IDV_ANALYZE_LENGTH_SIZE],
                           apr_pool_t *pool)
{
    if (findings.length == 0 || findings.length > IDV_ANALYZE_FINDINGS_MAX)
        return idv_error_internal(pool, "findings are empty or too long");
    idv_analysis_length_encode(findings.length, head);
    return NULL;
}

idv_analysis_answer_t idv_analysis_answer_decode(idv_bytes_t received)
{
    idv_analysis_answer_t answer = {.state = IDV_ANALYSIS_ANSWER_PARTIAL};
    apr_size_t length, has;

    if (received.length < IDV_ANALYZE_LENGTH_SIZE) {
        answer.missing = IDV_ANALYZE_LENGTH_SIZE - received.length;
        return answer;
    }
    length = idv_analysis_length_decode(received.data);
    has = received.length - IDV_ANALYZE_LENGTH_SIZE;
    if (length == 0) {
        answer.state = IDV_ANALYSIS_ANSWER_TOO_LONG;
    } else if (length > IDV_ANALYZE_FINDINGS_MAX) {
        answer.state = IDV_ANALYSIS_ANSWER_BROKEN;
    } else if (has < length) {
        answer.missing = length - has;
    } else {
        answer.state = IDV_ANALYSIS_ANSWER_FINDINGS;
        answer.findings =
            (idv_bytes_t){received.data + IDV_ANALYZE_LENGTH_SIZE, length};
    }
    return answer;
}

/* --- readiness --- */

idv_bytes_t
idv_analysis_readiness_encode(const idv_analysis_readiness_t *readiness,
                              apr_pool_t *pool)
{
    const char *text =
        readiness->fault
            ? apr_psprintf(pool, "%c%s", IDV_ANALYZE_FAULT, readiness->fault)
            : apr_pstrcat(pool, readiness->layers, "\n", readiness->missing,
                          NULL);
    apr_size_t length = strlen(text);

    if (length > IDV_ANALYZE_READY_MAX)
        length = IDV_ANALYZE_READY_MAX;
    return (idv_bytes_t){(const unsigned char *)text, length};
}

void idv_analysis_readiness_decode(idv_bytes_t packet,
                                   idv_analysis_readiness_t *readiness,
                                   apr_pool_t *pool)
{
    char *text = apr_pstrmemdup(pool, (const char *)packet.data, packet.length);
    char *end = strchr(text, '\n');

    *readiness = (idv_analysis_readiness_t){.layers = text, .missing = ""};
    if (*text == IDV_ANALYZE_FAULT) {
        *readiness = (idv_analysis_readiness_t){text + 1, "", ""};
    } else if (end) {
        *end = '\0';
        readiness->missing = end + 1;
    }
}
