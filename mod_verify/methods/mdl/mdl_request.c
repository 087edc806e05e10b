/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_request.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "methods/mdl/response_encryption.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

static const char *const channel_codes[] = {
#define X(name, code) code,
    IDV_MDL_CHANNELS(X)
#undef X
};

/* The members that are texts and bytes; NULL and empty values are null in
 * JSON. */
static const struct {
    const char *name;
    size_t offset;
} texts[] = {
#define TEXT(name, member) { name, offsetof(idv_mdl_request_t, member) }
    TEXT("client_id", parts.client_id),
    TEXT("nonce", parts.nonce),
    TEXT("response_uri", parts.response_uri),
    TEXT("origin", parts.origin),
    TEXT("encryption_info", parts.encryption_info),
    TEXT("state", state),
    TEXT("encryption_key_id", encryption_key_id),
}, byte_strings[] = {
    TEXT("transcript", parts.transcript),
    TEXT("encryption_key", encryption_key),
    TEXT("reader_key", reader_key),
#undef TEXT
};

/* --- writing --- */

static void put_bytes(idv_json_writer_t *writer, const char *key,
                      idv_bytes_t bytes)
{
    const char *text =
        bytes.length ? apr_pencode_base64_binary(
                           writer->pool, bytes.data, (apr_ssize_t)bytes.length,
                           APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL)
                     : NULL;

    if (text)
        idv_wipe_with_pool((char *)text, strlen(text), writer->pool);
    idv_json_put_text(writer, key, text);
}

static void put_query(idv_json_writer_t *writer, const idv_mdl_query_t *query)
{
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "id", query->id);
    idv_json_put_text(writer, "doc_type", query->doc_type);
    idv_json_open_array(writer, "elements");
    for (int i = 0; i < query->element_count; i++) {
        const idv_mdl_element_t *element = &query->elements[i];

        idv_json_open_object(writer, NULL);
        idv_json_put_text(writer, "name_space", element->name_space);
        idv_json_put_text(writer, "element", element->element);
        idv_json_put_boolean(writer, "is_optional", element->is_optional);
        idv_json_close_object(writer);
    }
    idv_json_close_array(writer);
    idv_json_close_object(writer);
}

static void put_anchor(idv_json_writer_t *writer,
                       const idv_trust_anchor_t *anchor)
{
    idv_json_open_object(writer, NULL);
    put_bytes(writer, "certificate", anchor->certificate);
    idv_json_put_boolean(writer, "is_signer", anchor->is_signer);
    idv_json_put_boolean(writer, "is_pinned", anchor->is_pinned);
    idv_json_put_text(writer, "list", anchor->list);
    idv_json_open_array(writer, "doc_types");
    for (int i = 0; i < anchor->doc_type_count; i++)
        idv_json_put_text(writer, NULL, anchor->doc_types[i]);
    idv_json_close_array(writer);
    idv_json_close_object(writer);
}

static void put_members(idv_json_writer_t *writer,
                        const idv_mdl_request_t *request)
{
    idv_json_put_text(writer, "channel", channel_codes[request->channel]);
    idv_json_open_array(writer, "accepted");
    for (int i = 0; i < IDV_HANDOVER_COUNT; i++)
        if (request->accepted >> i & 1)
            idv_json_put_text(writer, NULL, idv_handover_code(i));
    idv_json_close_array(writer);
    for (int i = 0; i < COUNT(texts); i++)
        idv_json_put_text(
            writer, texts[i].name,
            *(const char *const *)((const char *)request + texts[i].offset));
    for (int i = 0; i < COUNT(byte_strings); i++)
        put_bytes(writer, byte_strings[i].name,
                  *(const idv_bytes_t *)((const char *)request
                                         + byte_strings[i].offset));
}

/* Room for the whole text, so that no outgrown copy of the keys remains. */
static apr_size_t expected_length(const idv_mdl_request_t *request)
{
    apr_size_t length = 64 * 1024;

    for (int i = 0; i < request->trust.anchor_count; i++)
        length += 2 * request->trust.anchors[i].certificate.length + 1024;
    return length + 2 * request->parts.transcript.length;
}

idv_error_t *idv_mdl_request_write(const idv_mdl_request_t *request,
                                   const char **text, apr_size_t *length,
                                   apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, expected_length(request), pool);
    idv_json_open_object(&writer, NULL);
    put_members(&writer, request);
    idv_json_open_array(&writer, "queries");
    for (int i = 0; i < request->query_count; i++)
        put_query(&writer, &request->queries[i]);
    idv_json_close_array(&writer);
    idv_json_open_array(&writer, "anchors");
    for (int i = 0; i < request->trust.anchor_count; i++)
        put_anchor(&writer, &request->trust.anchors[i]);
    idv_json_close_array(&writer);
    idv_json_close_object(&writer);
    *text = idv_json_writer_text(&writer, length);
    idv_wipe_with_pool((char *)*text, *length, pool);
    return *length <= IDV_MDL_REQUEST_MAX
               ? NULL
               : idv_error_internal(pool, "a request is too long");
}

/* --- reading --- */

/* A walk that keeps the first fault, so that each value can be read in one
 * line. */
typedef struct {
    const char *fault; /* the place; NULL: none so far */
    apr_pool_t *pool;
} reading_t;

static void fault(reading_t *reading, const char *place)
{
    if (!reading->fault)
        reading->fault = place;
}

static const char *read_text(reading_t *reading, const json_t *value,
                             const char *place)
{
    if (!json_is_string(value) && !json_is_null(value))
        fault(reading, place);
    return json_is_string(value)
               ? apr_pstrdup(reading->pool, json_string_value(value))
               : NULL;
}

static const char *read_required(reading_t *reading, const json_t *value,
                                 const char *place)
{
    const char *text = read_text(reading, value, place);

    if (!text || !*text)
        fault(reading, place);
    return text;
}

static idv_bytes_t read_bytes(reading_t *reading, const json_t *value,
                              const char *place)
{
    idv_bytes_t bytes = { NULL, 0 };
    const char *text = json_string_value(value);

    if (!text && !json_is_null(value))
        fault(reading, place);
    if (text
        && idv_base64url_decode(text, json_string_length(value), &bytes,
                                reading->pool))
        fault(reading, place);
    if (bytes.length)
        idv_wipe_with_pool((unsigned char *)bytes.data, bytes.length,
                           reading->pool);
    return bytes;
}

static int read_flag(reading_t *reading, const json_t *value, const char *place)
{
    if (!json_is_boolean(value))
        fault(reading, place);
    return json_is_true(value);
}

/* The length of an array of at most MOST entries; 0 for anything else. */
static int read_count(reading_t *reading, const json_t *array, int most,
                      const char *place)
{
    if (json_is_array(array) && json_array_size(array) <= (size_t)most)
        return (int)json_array_size(array);
    fault(reading, place);
    return 0;
}

static void read_query(reading_t *reading, const json_t *value,
                       idv_mdl_query_t *query)
{
    const json_t *list = json_object_get(value, "elements");
    idv_mdl_element_t *elements;

    query->id = read_text(reading, json_object_get(value, "id"), "id");
    query->doc_type = read_required(
        reading, json_object_get(value, "doc_type"), "doc_type");
    query->element_count =
        read_count(reading, list, IDV_MDL_ELEMENTS_MAX, "elements");
    elements = apr_pcalloc(reading->pool, (apr_size_t)(query->element_count + 1)
                                              * sizeof(*elements));
    query->elements = elements;
    for (int i = 0; i < query->element_count; i++) {
        const json_t *entry = json_array_get(list, (size_t)i);

        elements[i].name_space = read_required(
            reading, json_object_get(entry, "name_space"), "name_space");
        elements[i].element = read_required(
            reading, json_object_get(entry, "element"), "element");
        elements[i].is_optional = read_flag(
            reading, json_object_get(entry, "is_optional"), "is_optional");
    }
}

static void read_anchor(reading_t *reading, const json_t *value,
                        idv_trust_anchor_t *anchor)
{
    const json_t *list = json_object_get(value, "doc_types");
    const char **doc_types;

    anchor->certificate = read_bytes(
        reading, json_object_get(value, "certificate"), "certificate");
    anchor->is_signer =
        read_flag(reading, json_object_get(value, "is_signer"), "is_signer");
    anchor->is_pinned =
        read_flag(reading, json_object_get(value, "is_pinned"), "is_pinned");
    anchor->list = read_text(reading, json_object_get(value, "list"), "list");
    anchor->doc_type_count =
        read_count(reading, list, IDV_MDL_DOC_TYPES_MAX, "doc_types");
    doc_types =
        apr_pcalloc(reading->pool, (apr_size_t)(anchor->doc_type_count + 1)
                                       * sizeof(*doc_types));
    anchor->doc_types = doc_types;
    for (int i = 0; i < anchor->doc_type_count; i++)
        doc_types[i] =
            read_required(reading, json_array_get(list, (size_t)i),
                          "doc_types");
}

static void read_lists(reading_t *reading, const json_t *root,
                       idv_mdl_request_t *request)
{
    const json_t *query_list = json_object_get(root, "queries");
    const json_t *anchor_list = json_object_get(root, "anchors");
    idv_trust_anchor_t *anchors;
    idv_mdl_query_t *queries;

    request->query_count =
        read_count(reading, query_list, IDV_MDL_QUERIES_MAX, "queries");
    queries = apr_pcalloc(reading->pool, (apr_size_t)(request->query_count + 1)
                                             * sizeof(*queries));
    for (int i = 0; i < request->query_count; i++)
        read_query(reading, json_array_get(query_list, (size_t)i),
                   &queries[i]);
    request->queries = queries;
    request->trust.anchor_count =
        read_count(reading, anchor_list, IDV_MDL_ANCHORS_MAX, "anchors");
    anchors =
        apr_pcalloc(reading->pool, (apr_size_t)(request->trust.anchor_count + 1)
                                       * sizeof(*anchors));
    for (int i = 0; i < request->trust.anchor_count; i++)
        read_anchor(reading, json_array_get(anchor_list, (size_t)i),
                    &anchors[i]);
    request->trust.anchors = anchors;
}

static void read_choices(reading_t *reading, const json_t *root,
                         idv_mdl_request_t *request)
{
    const json_t *list = json_object_get(root, "accepted");
    const char *channel =
        read_required(reading, json_object_get(root, "channel"), "channel");
    int count = read_count(reading, list, IDV_HANDOVER_COUNT, "accepted");
    int found = -1;

    for (int i = 0; channel && i < COUNT(channel_codes); i++)
        if (strcmp(channel_codes[i], channel) == 0)
            found = i;
    if (found < 0)
        fault(reading, "channel");
    else
        request->channel = found;
    for (int i = 0; i < count; i++) {
        const char *code = read_required(
            reading, json_array_get(list, (size_t)i), "accepted");

        found = code ? idv_handover_find(code) : -1;
        if (found < 0)
            fault(reading, "accepted");
        else
            request->accepted |= 1u << found;
    }
}

idv_error_t *idv_mdl_request_read(const char *text, apr_size_t length,
                                  idv_time_t now, idv_mdl_request_t **out,
                                  apr_pool_t *pool)
{
    idv_mdl_request_t *request = apr_pcalloc(pool, sizeof(*request));
    reading_t reading = { NULL, pool };
    json_t *root;

    if (length > IDV_MDL_REQUEST_MAX
        || idv_json_parse(text, length, &root, pool))
        return idv_error_internal(pool, "a request is not a JSON object");
    read_choices(&reading, root, request);
    for (int i = 0; i < COUNT(texts); i++)
        *(const char **)((char *)request + texts[i].offset) =
            read_text(&reading, json_object_get(root, texts[i].name),
                      texts[i].name);
    for (int i = 0; i < COUNT(byte_strings); i++)
        *(idv_bytes_t *)((char *)request + byte_strings[i].offset) =
            read_bytes(&reading, json_object_get(root, byte_strings[i].name),
                       byte_strings[i].name);
    read_lists(&reading, root, request);
    if (reading.fault)
        return idv_error_internal(pool, "a request: %s does not have the "
                                        "agreed form",
                                  reading.fault);
    request->trust.now = now;
    *out = request;
    return NULL;
}
