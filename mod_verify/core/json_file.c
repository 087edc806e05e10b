/* SPDX-License-Identifier: Apache-2.0 */
#include "core/json_file.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_strings.h>

/* One byte more than LIMIT tells a file that is too long. */
static apr_status_t read_bytes(apr_file_t *file, apr_size_t limit, char **text,
                               apr_size_t *length, apr_pool_t *pool)
{
    apr_finfo_t info;
    apr_status_t status = apr_file_info_get(&info, APR_FINFO_SIZE, file);

    if (status != APR_SUCCESS)
        return status;
    *length = info.size > (apr_off_t)limit ? limit + 1 : (apr_size_t)info.size;
    *text = apr_palloc(pool, *length + 1);
    return *length ? apr_file_read_full(file, *text, *length, length)
                   : APR_SUCCESS;
}

idv_error_t *idv_json_file_read(const char *path, apr_size_t limit,
                                json_t **out, apr_pool_t *pool)
{
    apr_pool_t *scratch;
    apr_size_t length = 0;
    apr_file_t *file;
    char *text = NULL;
    idv_error_t *error;
    apr_status_t status;

    *out = NULL;
    apr_pool_create(&scratch, pool);
    status = apr_file_open(&file, path, APR_READ | APR_BINARY, 0, scratch);
    if (status == APR_SUCCESS)
        status = read_bytes(file, limit, &text, &length, scratch);
    if (status != APR_SUCCESS)
        error = idv_error_apr(pool, status, "%s", path);
    else if (length > limit)
        error = idv_error_param(
            pool, NULL, "Larger than %" APR_SIZE_T_FMT " bytes.", limit);
    else
        error = idv_json_parse(text, length, out, pool);
    apr_pool_destroy(scratch);
    return error;
}

static int ends_with(const char *name, const char *suffix)
{
    apr_size_t length = strlen(name), end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

idv_error_t *idv_directory_list(const char *path, const char *suffix,
                                apr_array_header_t **names, apr_pool_t *pool)
{
    apr_dir_t *directory;
    apr_finfo_t info;
    apr_status_t status = apr_dir_open(&directory, path, pool);

    *names = apr_array_make(pool, 64, sizeof(const char *));
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    while ((status = apr_dir_read(&info, APR_FINFO_NAME, directory)) ==
           APR_SUCCESS)
        if (*info.name != '.' && ends_with(info.name, suffix))
            APR_ARRAY_PUSH(*names, const char *) = apr_pstrdup(pool, info.name);
    apr_dir_close(directory);
    if (!APR_STATUS_IS_ENOENT(status))
        return idv_error_apr(pool, status, "%s", path);
    if ((*names)->nelts)
        qsort((*names)->elts, (*names)->nelts, sizeof(const char *),
              compare_names);
    return NULL;
}
