/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/file_input.h"

#include <apr_file_io.h>

idv_error_t *idv_file_input_read(const char *name, const char *path,
                                 apr_size_t max, idv_bytes_t *content,
                                 apr_pool_t *pool)
{
    unsigned char *buffer = apr_palloc(pool, max + 2);
    apr_size_t length = max + 1;
    apr_file_t *file;
    apr_status_t status = apr_file_open(&file, path, APR_READ, 0, pool);

    if (status == APR_SUCCESS)
        status = apr_file_read_full(file, buffer, length, &length);
    if (status != APR_SUCCESS && !APR_STATUS_IS_EOF(status))
        return idv_error_apr(pool, status, "%s", path);
    if (length > max)
        return idv_error_param(pool, name,
                               "Larger than %" APR_SIZE_T_FMT " bytes.", max);
    buffer[length] = '\0';
    *content = (idv_bytes_t){buffer, length};
    return NULL;
}
