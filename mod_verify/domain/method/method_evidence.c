/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/method/method_evidence.h"

#include <string.h>

static const idv_evidence_part_t table[] = {
#define X(method, name, source, is_needed)                                     \
    {IDV_METHOD_##method, name, IDV_EVIDENCE_##source, is_needed},
    IDV_EVIDENCE_PARTS(X)
#undef X
};

#define COUNT (sizeof(table) / sizeof(*table))

const idv_evidence_part_t *idv_evidence_part_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

int idv_evidence_parts_of(
    idv_method_t method, const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX])
{
    int count = 0;

    for (size_t i = 0; i < COUNT && count < IDV_METHOD_PARTS_MAX; i++)
        if (table[i].method == method)
            parts[count++] = &table[i];
    return count;
}
