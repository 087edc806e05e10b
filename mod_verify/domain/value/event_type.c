/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/event_type.h"

#include "core/word_list.h"

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
    int found =
        idv_word_find(idv_event_type_values, IDV_EVENT_TYPE_COUNT, value);

    return found < 0 ? IDV_EVENT_NONE : found;
}
