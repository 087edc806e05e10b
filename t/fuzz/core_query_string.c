/* SPDX-License-Identifier: Apache-2.0 */
/* The query of an address, as httpd hands it over: without NULs. */
#include <stdint.h>
#include <stdlib.h>

#include <apr_general.h>
#include <apr_strings.h>

#include "core/json_writer.h"
#include "core/query_string.h"

static void promise(int kept)
{
    if (!kept)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static apr_pool_t *root;
    apr_pool_t *pool;
    json_t *object, *value, *entry;
    const char *name, *text;
    size_t i;

    if (!root)
        promise(apr_initialize() == APR_SUCCESS
                && apr_pool_create(&root, NULL) == APR_SUCCESS);
    promise(apr_pool_create(&pool, root) == APR_SUCCESS);
    if (!idv_form_parse((idv_bytes_t){data, size}, &object, pool))
        promise(json_object_size(object) <= IDV_QUERY_MAX_PARAMETERS);
    if (idv_query_string_parse(apr_pstrmemdup(pool, (const char *)data, size),
                               &object, pool)) {
        promise(object == NULL);
    } else {
        promise(json_object_size(object) <= IDV_QUERY_MAX_PARAMETERS);
        json_object_foreach(object, name, value) {
            promise(json_is_string(value) || json_is_array(value));
            json_array_foreach(value, i, entry)
                promise(json_is_string(entry));
        }
        promise((text = idv_json_text(object, pool)) != NULL);
    }
    apr_pool_destroy(pool);
    return 0;
}
