/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_signals.h"

#include <stddef.h>
#include <string.h>

#include <apr_escape.h>
#include <apr_strings.h>

#include "core/json_record.h"

/* The flags, and the checks that look at them. */
static const struct {
    size_t offset;
    idv_method_set_t checks;
} flags[] = {
#define FLAG(member, check)                                                    \
    {                                                                          \
        offsetof(idv_session_signals_t, member),                               \
            IDV_METHOD_BIT(IDV_METHOD_##check)                                 \
    }
    FLAG(reserved, IP_ANALYSIS),   FLAG(hosting, IP_ANALYSIS),
    FLAG(anonymizer, IP_ANALYSIS), FLAG(tor, IP_ANALYSIS),
    FLAG(automated, DEVICE_RISK),  FLAG(webdriver, DEVICE_RISK),
    FLAG(virtual_camera, DEVICE_RISK),
#undef FLAG
};
#define FLAG_COUNT (sizeof(flags) / sizeof(*flags))

static int *flag_of(idv_session_signals_t *signals, size_t i)
{
    return (int *)((char *)signals + flags[i].offset);
}

void idv_session_signals_init(idv_session_signals_t *signals)
{
    memset(signals, 0, sizeof(*signals));
    for (size_t i = 0; i < FLAG_COUNT; i++)
        *flag_of(signals, i) = -1;
}

static void remember(idv_session_signals_t *kept,
                     const idv_session_signals_t *before)
{
    if (!kept->device.data)
        kept->device = before->device;
    if (!kept->time_zone)
        kept->time_zone = before->time_zone;
    if (kept->automated < before->automated)
        kept->automated = before->automated;
    if (kept->webdriver < before->webdriver)
        kept->webdriver = before->webdriver;
    if (kept->virtual_camera < before->virtual_camera)
        kept->virtual_camera = before->virtual_camera;
}

const idv_session_signals_t *
idv_session_signals_keep(const idv_method_list_t *methods,
                         const idv_session_signals_t *before,
                         const idv_session_signals_t *seen, apr_pool_t *pool)
{
    static const idv_bytes_t nothing = {NULL, 0};
    idv_session_signals_t *kept = apr_pmemdup(pool, seen, sizeof(*seen));
    int address = idv_method_list_has(methods, IDV_METHOD_IP_ANALYSIS);
    int device = idv_method_list_has(methods, IDV_METHOD_DEVICE_RISK);
    int place = idv_method_list_has(methods, IDV_METHOD_GEOLOCATION);
    idv_method_set_t checks = 0;

    if (!address && !device && !place)
        return NULL;
    if (before)
        remember(kept, before);
    for (int i = 0; i < methods->count; i++)
        checks |= IDV_METHOD_BIT(methods->items[i]);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (!(flags[i].checks & checks))
            *flag_of(kept, i) = -1;
    if (!address) {
        kept->address = nothing;
        kept->time_zone = NULL;
    }
    if (!device)
        kept->device = nothing;
    if (!address && !place)
        kept->place = NULL;
    return kept;
}

/* --- the form in which they are kept --- */

static void write_digest(idv_json_writer_t *writer, const char *key,
                         const void *value)
{
    const idv_bytes_t *digest = value;

    idv_json_put_text(writer, key,
                      digest->data
                          ? idv_hex(digest->data, digest->length, writer->pool)
                          : NULL);
}

/* Null, or a digest in hexadecimal. */
static idv_error_t *read_digest(const char *json, void *value, apr_pool_t *pool)
{
    const char *text = idv_json_read_text(json, pool);
    unsigned char *data = apr_palloc(pool, IDV_DIGEST_SIZE);
    idv_bytes_t *digest = value;

    if (strcmp(json, "null") == 0)
        return NULL;
    if (!text || strlen(text) != (size_t)2 * IDV_DIGEST_SIZE
        || apr_unescape_hex(data, text, APR_ESCAPE_STRING, 0, &digest->length)
               != APR_SUCCESS)
        return idv_error_internal(pool, "a session's signals are malformed");
    digest->data = data;
    return NULL;
}

static const idv_json_member_t members[] = {
    IDV_JSON_MEMBER_BY(idv_session_signals_t, address, "address", write_digest,
                       read_digest),
    IDV_JSON_MEMBER_BY(idv_session_signals_t, device, "device", write_digest,
                       read_digest),
    IDV_JSON_MEMBER(TEXT, idv_session_signals_t, place),
    {"time_zone", IDV_JSON_MEMBER_TEXT,
     offsetof(idv_session_signals_t, time_zone), 1, NULL, NULL},
    IDV_JSON_MEMBER(INTEGER, idv_session_signals_t, reserved),
    IDV_JSON_MEMBER(INTEGER, idv_session_signals_t, hosting),
    IDV_JSON_MEMBER(INTEGER, idv_session_signals_t, anonymizer),
    IDV_JSON_MEMBER(INTEGER, idv_session_signals_t, tor),
    IDV_JSON_MEMBER(INTEGER, idv_session_signals_t, automated),
    IDV_JSON_MEMBER(INTEGER, idv_session_signals_t, webdriver),
    /* Sessions of earlier releases lack it. */
    {"virtual_camera", IDV_JSON_MEMBER_INTEGER,
     offsetof(idv_session_signals_t, virtual_camera), 1, NULL, NULL},
    {0},
};
IDV_JSON_RECORD_CHECK(members);

void idv_session_signals_write(idv_json_writer_t *writer, const char *key,
                               const idv_session_signals_t *signals)
{
    idv_json_put_record(writer, key, members, signals);
}

idv_error_t *idv_session_signals_read(const char *json,
                                      const idv_session_signals_t **signals,
                                      apr_pool_t *pool)
{
    idv_session_signals_t *loaded = apr_palloc(pool, sizeof(*loaded));

    idv_session_signals_init(loaded);
    *signals = NULL;
    if (strcmp(json, "null") == 0)
        return NULL;
    IDV_TRY(idv_json_read_record(json, members, loaded, pool));
    *signals = loaded;
    return NULL;
}
