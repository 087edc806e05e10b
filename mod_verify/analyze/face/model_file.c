/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/model_file.h"

#include <apr_file_io.h>
#include <apr_strings.h>

#define FILE_MAX ((apr_off_t)16 * 1024 * 1024)

idv_error_t *idv_model_read(const char *directory, const char *name,
                            idv_bytes_t *file, apr_pool_t *pool)
{
    const char *path = apr_pstrcat(pool, directory, "/", name, NULL);
    unsigned char *data = NULL;
    apr_size_t length = 0;
    apr_finfo_t info;
    apr_file_t *opened;
    apr_status_t status =
        apr_file_open(&opened, path, APR_READ | APR_BINARY, 0, pool);

    if (status != APR_SUCCESS)
        return idv_error_internal(
            pool, "%s cannot be opened (run `make models`)", path);
    status = apr_file_info_get(&info, APR_FINFO_SIZE, opened);
    if (status == APR_SUCCESS && info.size > 0 && info.size <= FILE_MAX) {
        data = apr_palloc(pool, (apr_size_t)info.size);
        status =
            apr_file_read_full(opened, data, (apr_size_t)info.size, &length);
    }
    apr_file_close(opened);
    if (!data || status != APR_SUCCESS)
        return idv_error_internal(pool, "%s cannot be read", path);
    *file = (idv_bytes_t){data, length};
    return NULL;
}

idv_error_t *idv_model_tflite(const char *directory, const char *name,
                              idv_tflite_t *model, apr_pool_t *pool)
{
    apr_pool_t *scratch;
    idv_bytes_t file;
    idv_error_t *error;

    if (apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(idv_model_read(directory, name, &file, scratch));
    error = idv_tflite_read(file, model, pool);
    apr_pool_destroy(scratch);
    if (error)
        return idv_error_internal(pool, "%s: %s", name, idv_error_cause(error));
    return NULL;
}
