/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/model_file.h"

#include <apr_file_io.h>
#include <apr_mmap.h>
#include <apr_strings.h>

#define FILE_MAX ((apr_off_t)16 * 1024 * 1024)

idv_error_t *idv_model_map(const char *directory, const char *name,
                           idv_bytes_t *file, apr_pool_t *pool)
{
    const char *path = apr_pstrcat(pool, directory, "/", name, NULL);
    apr_mmap_t *map = NULL;
    apr_finfo_t info;
    apr_file_t *opened;
    apr_status_t status =
        apr_file_open(&opened, path, APR_READ | APR_BINARY, 0, pool);

    if (status != APR_SUCCESS)
        return idv_error_internal(
            pool, "%s cannot be opened (run `make models`)", path);
    status = apr_file_info_get(&info, APR_FINFO_SIZE, opened);
    if (status == APR_SUCCESS && info.size > 0 && info.size <= FILE_MAX)
        status = apr_mmap_create(&map, opened, 0, (apr_size_t)info.size,
                                 APR_MMAP_READ, pool);
    apr_file_close(opened);
    if (!map || status != APR_SUCCESS)
        return idv_error_internal(pool, "%s cannot be read", path);
    *file = (idv_bytes_t){map->mm, map->size};
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
    IDV_TRY(idv_model_map(directory, name, &file, scratch));
    error = idv_tflite_read(file, model, pool);
    apr_pool_destroy(scratch);
    if (error)
        return idv_error_internal(pool, "%s: %s", name, idv_error_cause(error));
    return NULL;
}
