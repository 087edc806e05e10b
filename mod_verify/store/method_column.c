/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method_column.h"

idv_db_param_t idv_method_list_param(const idv_method_list_t *list,
                                     apr_pool_t *pool)
{
    const char *values[IDV_METHOD_COUNT];

    for (int i = 0; i < list->count; i++)
        values[i] = idv_method_value(list->items[i]);
    return idv_db_texts(values, list->count, pool);
}

idv_error_t *idv_method_list_get(const idv_db_result_t *rows, int row,
                                 int column, idv_method_list_t *list,
                                 apr_pool_t *pool)
{
    const char *const *value = idv_db_get_texts(rows, row, column, pool);

    list->count = 0;
    for (; *value; value++) {
        idv_method_t method = idv_method_parse(*value);

        if (method == IDV_METHOD_NONE)
            return idv_error_internal(pool, "a stored method is unknown");
        idv_method_list_add(list, method);
    }
    return NULL;
}
