/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/session_type.h"

#include "core/word_list.h"

static const char *const session_types[IDV_SESSION_TYPE_COUNT] = {
#define X(name, value) [IDV_SESSION_TYPE_##name] = value,
    IDV_SESSION_TYPES(X)
#undef X
};

const char *idv_session_type_value(idv_session_type_t type)
{
    return type == IDV_SESSION_TYPE_NONE ? NULL : session_types[type];
}

idv_session_type_t idv_session_type_parse(const char *value)
{
    int found = idv_word_find(session_types, IDV_SESSION_TYPE_COUNT, value);

    return found < 0 ? IDV_SESSION_TYPE_NONE : found;
}
