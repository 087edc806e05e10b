/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a request. What is accepted is an object within the limits, and
 * what is written of it is read as the same again. */
#include "fuzz/fuzz.h"

#include "core/json.h"
#include "core/json_record.h"

static idv_error_t *read_text(const char *json, void *value, apr_pool_t *pool)
{
    const char *text = idv_json_read_text(json, pool);

    *(const char **)value = text ? text : "";
    return NULL;
}

static const idv_json_member_t members[] = {
    {"a", IDV_JSON_MEMBER_CUSTOM, 0, 0, NULL, read_text},
    {0},
};

static int depth(const json_t *value)
{
    int deepest = 0;
    const char *key;
    json_t *member;
    size_t i;

    if (json_is_object(value))
        json_object_foreach((json_t *)value, key, member)
            deepest = depth(member) > deepest ? depth(member) : deepest;
    else if (json_is_array(value))
        json_array_foreach(value, i, member)
            deepest = depth(member) > deepest ? depth(member) : deepest;
    else
        return 0;
    return deepest + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    json_t *value, *again;
    const char *member = NULL;
    const char *text;
    idv_error_t *error =
        idv_json_parse((const char *)data, size, &value, pool);

    promise((error == NULL) == (value != NULL));
    if (!error) {
        promise(json_is_object(value));
        promise(depth(value) <= IDV_JSON_MAX_DEPTH);
        text = idv_json_text(value, pool);
        promise(!idv_json_parse(text, strlen(text), &again, pool));
        promise(json_equal(value, again));
        promise(json_equal(value, idv_json_load(text, pool)));
    }
    /* Reads no further than the NUL, and what it accepts has the member. */
    if (!idv_json_read_record(apr_pstrmemdup(pool, (const char *)data, size),
                              members, &member, pool))
        promise(member != NULL);
    apr_pool_destroy(pool);
    return 0;
}
