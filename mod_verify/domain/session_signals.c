/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session_signals.h"

#include <stddef.h>
#include <string.h>

#include <apr_escape.h>
#include <apr_strings.h>

/* The flags, and the checks that look at them. */
static const struct {
    const char *name;
    size_t offset;
    idv_method_set_t checks;
} flags[] = {
#define FLAG(member, check)                                                    \
    {#member, offsetof(idv_session_signals_t, member),                         \
     IDV_METHOD_BIT(IDV_METHOD_##check)}
    FLAG(reserved, IP_ANALYSIS), FLAG(hosting, IP_ANALYSIS),
    FLAG(anonymizer, IP_ANALYSIS), FLAG(tor, IP_ANALYSIS),
    FLAG(automated, DEVICE_RISK), FLAG(webdriver, DEVICE_RISK),
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
    if (kept->automated < before->automated)
        kept->automated = before->automated;
    if (kept->webdriver < before->webdriver)
        kept->webdriver = before->webdriver;
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
    if (!address)
        kept->address = nothing;
    if (!device)
        kept->device = nothing;
    if (!address && !place)
        kept->place = NULL;
    return kept;
}

static json_t *bytes_json(idv_bytes_t bytes, apr_pool_t *pool)
{
    return bytes.data ? json_string(idv_hex(bytes.data, bytes.length, pool))
                      : json_null();
}

json_t *idv_session_signals_json(const idv_session_signals_t *signals,
                                 apr_pool_t *pool)
{
    idv_session_signals_t copy;
    json_t *json;

    if (!signals)
        return NULL;
    copy = *signals;
    json = json_pack("{s:o, s:o, s:s?}", "address",
                     bytes_json(signals->address, pool), "device",
                     bytes_json(signals->device, pool), "place",
                     signals->place);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        json_object_set_new(json, flags[i].name,
                            json_integer(*flag_of(&copy, i)));
    return json;
}

/* Non-zero when VALUE is null or a digest in hexadecimal. */
static int load_bytes(const json_t *value, idv_bytes_t *bytes, apr_pool_t *pool)
{
    unsigned char *data = apr_palloc(pool, IDV_DIGEST_SIZE);
    apr_size_t length;

    if (json_is_null(value))
        return 1;
    if (json_string_length(value) != (size_t)2 * IDV_DIGEST_SIZE
        || apr_unescape_hex(data, json_string_value(value),
                            APR_ESCAPE_STRING, 0, &length)
               != APR_SUCCESS)
        return 0;
    bytes->data = data;
    bytes->length = length;
    return 1;
}

idv_error_t *idv_session_signals_load(const json_t *json,
                                      const idv_session_signals_t **signals,
                                      apr_pool_t *pool)
{
    idv_session_signals_t *loaded = apr_pcalloc(pool, sizeof(*loaded));
    const json_t *place = json_object_get(json, "place");
    int sound = 1;

    *signals = NULL;
    if (!json || json_is_null(json))
        return NULL;
    sound &= load_bytes(json_object_get(json, "address"), &loaded->address,
                        pool);
    sound &= load_bytes(json_object_get(json, "device"), &loaded->device, pool);
    sound &= json_is_null(place) || json_is_string(place);
    if (json_is_string(place))
        loaded->place = apr_pstrdup(pool, json_string_value(place));
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        const json_t *flag = json_object_get(json, flags[i].name);

        sound &= json_is_integer(flag);
        *flag_of(loaded, i) = (int)json_integer_value(flag);
    }
    if (!sound)
        return idv_error_internal(pool, "a session's signals are malformed");
    *signals = loaded;
    return NULL;
}
