/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_fault.h"

#include <string.h>

#include <apr_strings.h>

#include "core/utf8.h"

#define UNKNOWN "unknown"

void idv_compliance_fault_add(apr_array_header_t *faults, const char *file,
                              const char *pointer, const char *message)
{
    idv_compliance_fault_t *fault;

    if (faults->nelts >= IDV_COMPLIANCE_FAULTS_MAX)
        return;
    for (int i = 0; i < faults->nelts; i++) {
        fault = &APR_ARRAY_IDX(faults, i, idv_compliance_fault_t);
        if (!strcmp(fault->file, file) && !strcmp(fault->pointer, pointer)
            && !strcmp(fault->message, message))
            return;
    }
    fault = apr_array_push(faults);
    fault->file = apr_pstrdup(faults->pool, file);
    fault->pointer = apr_pstrdup(faults->pool, pointer);
    fault->message = apr_pstrdup(faults->pool, message);
}

void idv_compliance_complain(const idv_compliance_place_t *place,
                             const char *message)
{
    idv_compliance_fault_add(place->faults, place->file, place->pointer,
                             message);
}

idv_compliance_place_t
idv_compliance_place_below(const idv_compliance_place_t *place, const char *key)
{
    idv_compliance_place_t member = *place;

    member.pointer =
        idv_json_pointer_member(place->pointer, key, place->scratch);
    return member;
}

idv_compliance_place_t
idv_compliance_place_at(const idv_compliance_place_t *place, size_t index)
{
    idv_compliance_place_t member = *place;

    member.pointer =
        idv_json_pointer_element(place->pointer, index, place->scratch);
    return member;
}

int idv_compliance_is_unknown(const json_t *value)
{
    return json_is_string(value)
        && strcmp(json_string_value(value), UNKNOWN) == 0;
}

const char *idv_compliance_text(const idv_compliance_place_t *place,
                                const json_t *value)
{
    const char *text = json_string_value(value);

    if (!text || !*text || idv_utf8_length(text) > IDV_COMPLIANCE_TEXT_MAX) {
        idv_compliance_complain(
            place, apr_psprintf(place->scratch,
                                "Expected a text of 1 to %d characters.",
                                IDV_COMPLIANCE_TEXT_MAX));
        return NULL;
    }
    return text;
}
