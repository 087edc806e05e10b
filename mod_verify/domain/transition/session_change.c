/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/session_change.h"

static const int held_to_law[IDV_INPUT_COUNT] = {
#define X(name, is_held_to_law) [IDV_INPUT_##name] = is_held_to_law,
    IDV_SESSION_INPUTS(X)
#undef X
};

int idv_session_input_is_held_to_law(idv_session_input_type_t type)
{
    return held_to_law[type];
}
