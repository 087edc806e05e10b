/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow/workflow_diff.h"

#include "core/json.h"

static json_t *or_null(const json_t *value)
{
    return value ? json_incref((json_t *)value) : json_null();
}

static void add_change(json_t *changes, const char *pointer,
                       const json_t *before, const json_t *after)
{
    json_array_append_new(
        changes, json_pack("{s:s, s:s, s:o, s:o}", "pointer", pointer, "change",
                           !before  ? "added"
                           : !after ? "removed"
                                    : "changed",
                           "before", or_null(before), "after", or_null(after)));
}

/* As deep as the definitions are, which the parser bounds. */
static void compare(json_t *changes, const char *pointer, const json_t *before,
                    const json_t *after, apr_pool_t *pool)
{
    const char *key;
    json_t *member;

    if (!json_is_object(before) || !json_is_object(after)) {
        if (!before || !after || !json_equal(before, after))
            add_change(changes, pointer, before, after);
        return;
    }
    json_object_foreach ((json_t *)before, key, member)
        compare(changes, idv_json_pointer_member(pointer, key, pool), member,
                json_object_get(after, key), pool);
    json_object_foreach ((json_t *)after, key, member)
        if (!json_object_get(before, key))
            compare(changes, idv_json_pointer_member(pointer, key, pool), NULL,
                    member, pool);
}

json_t *idv_workflow_diff(const json_t *before, const json_t *after,
                          apr_pool_t *pool)
{
    json_t *changes = json_array();

    compare(changes, "", before, after, pool);
    return changes;
}
