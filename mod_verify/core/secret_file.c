/* SPDX-License-Identifier: Apache-2.0 */
#include "core/secret_file.h"

#include <string.h>

#include <apr_file_io.h>
#include <apr_strings.h>

#include "core/crypto.h"

/* The beginning of the file at PATH, unbuffered: no copy of it stays. */
static apr_status_t read_start(const char *path, char *text, apr_size_t size,
                               apr_pool_t *pool)
{
    apr_file_t *file;
    apr_status_t status =
        apr_file_open(&file, path, APR_READ, APR_FPROT_OS_DEFAULT, pool);

    if (status != APR_SUCCESS)
        return status;
    status = apr_file_read_full(file, text, size, NULL);
    apr_file_close(file);
    return APR_STATUS_IS_EOF(status) ? APR_SUCCESS : status;
}

idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool)
{
    /* One byte more than a secret has tells one that is too long. */
    char *text = apr_pcalloc(pool, IDV_SECRET_MAX + 2);
    apr_status_t status;

    idv_wipe_with_pool(text, IDV_SECRET_MAX + 2, pool);
    status = read_start(path, text, IDV_SECRET_MAX + 1, pool);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s cannot be read", path);
    text[strcspn(text, "\r\n")] = '\0';
    if (!*text)
        return idv_error_internal(pool, "%s holds no secret", path);
    if (strlen(text) > IDV_SECRET_MAX)
        return idv_error_internal(pool, "%s: more than %d bytes in a line",
                                  path, IDV_SECRET_MAX);
    *secret = text;
    return NULL;
}
