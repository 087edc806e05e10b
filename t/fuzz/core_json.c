/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a request. What is accepted is an object within the limits, and
 * what is written of it is read as the same again. */
#include "fuzz/fuzz.h"

#include "core/json.h"

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
    const char *text;
    apr_size_t length;
    idv_error_t *error =
        idv_json_parse((const char *)data, size, &value, pool);

    promise((error == NULL) == (value != NULL));
    if (!error) {
        promise(json_is_object(value));
        promise(depth(value) <= IDV_JSON_MAX_DEPTH);
        promise(!idv_json_dump(value, &text, &length, pool));
        promise(strlen(text) == length);
        promise(!idv_json_parse(text, length, &again, pool));
        promise(json_equal(value, again));
    }
    apr_pool_destroy(pool);
    return 0;
}
