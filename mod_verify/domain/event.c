/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/event.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"

#define ENVELOPE_LENGTH 200

const char *const idv_event_type_values[] = {
#define X(name, value) [IDV_EVENT_##name] = value,
    IDV_EVENT_TYPES(X)
#undef X
    NULL,
};

const char *idv_event_type_value(idv_event_type_t type)
{
    return type == IDV_EVENT_NONE ? NULL : idv_event_type_values[type];
}

idv_event_type_t idv_event_type_parse(const char *value)
{
    for (int i = 0; value && i < IDV_EVENT_TYPE_COUNT; i++)
        if (!strcmp(idv_event_type_values[i], value))
            return i;
    return IDV_EVENT_NONE;
}

const char *idv_event_body(const char *id, idv_event_type_t type,
                           idv_time_t created, const char *object,
                           apr_pool_t *pool)
{
    idv_json_writer_t event;

    idv_json_writer_init(&event, strlen(object) + ENVELOPE_LENGTH, pool);
    idv_json_open_object(&event, NULL);
    idv_json_put_text(&event, "id", id);
    idv_json_put_text(&event, "object", "event");
    idv_json_put_text(&event, "type", idv_event_type_value(type));
    idv_json_put_integer(&event, "created", idv_time_seconds(created));
    idv_json_open_object(&event, "data");
    idv_json_put_raw(&event, "object", object);
    idv_json_close_object(&event);
    idv_json_close_object(&event);
    return idv_json_writer_text(&event, NULL);
}

static int is_wildcard(const json_t *item)
{
    return json_is_string(item) && !strcmp(json_string_value(item), "*");
}

idv_error_t *idv_event_subscription_check(const json_t *value,
                                          const char *param, apr_pool_t *pool)
{
    unsigned seen = 0;
    const json_t *item;
    size_t i;

    if (!json_is_array(value) || json_array_size(value) == 0)
        return idv_error_param(pool, param,
                               "Must be a non-empty array of event types.");
    if (json_array_size(value) == 1 && is_wildcard(json_array_get(value, 0)))
        return NULL;
    json_array_foreach (value, i, item) {
        const char *path =
            apr_psprintf(pool, "%s[%" APR_SIZE_T_FMT "]", param, i);
        idv_event_type_t type = idv_event_type_parse(json_string_value(item));

        if (is_wildcard(item))
            return idv_error_param(pool, path, "* must stand alone.");
        if (type == IDV_EVENT_NONE)
            return idv_error_param(pool, path, "Is no event type.");
        if (seen & 1u << type)
            return idv_error_param(pool, path, "Is listed twice.");
        seen |= 1u << type;
    }
    return NULL;
}
