/* SPDX-License-Identifier: Apache-2.0 */
#include "core/secret_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/crypto.h"

static idv_error_t *check_owner(const char *path, const struct stat *status,
                                apr_pool_t *pool)
{
    if (!S_ISREG(status->st_mode))
        return idv_error_internal(pool, "%s: is not a regular file", path);
    if (status->st_mode & (S_IRWXG | S_IRWXO))
        return idv_error_internal(
            pool, "%s: must be accessible to its owner only", path);
    if (status->st_uid != 0 && status->st_uid != geteuid())
        return idv_error_internal(
            pool, "%s: must belong to root or to user %ld, who reads it", path,
            (long)geteuid());
    return NULL;
}

/* Without a stream, whose buffer nobody would wipe. */
static idv_error_t *read_descriptor(int file, const char *path, char *text,
                                    apr_size_t size, apr_size_t *length,
                                    apr_pool_t *pool)
{
    struct stat status;
    ssize_t count = 0;

    *length = 0;
    if (fstat(file, &status) != 0)
        return idv_error_apr(pool, errno, "%s cannot be read", path);
    IDV_TRY(check_owner(path, &status, pool));
    while (*length < size
           && (count = read(file, text + *length, size - *length)) > 0)
        *length += (apr_size_t)count;
    if (count < 0)
        return idv_error_apr(pool, errno, "%s cannot be read", path);
    return NULL;
}

idv_error_t *idv_private_file_read(const char *path, char *text,
                                   apr_size_t size, apr_size_t *length,
                                   apr_pool_t *pool)
{
    /* A pipe is refused, instead of being waited for. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    idv_error_t *error;

    if (file < 0)
        return idv_error_apr(pool, errno, "%s cannot be read", path);
    error = read_descriptor(file, path, text, size, length, pool);
    close(file);
    return error;
}

idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool)
{
    /* One byte more than a secret has tells one that is too long. */
    char *text = apr_pcalloc(pool, IDV_SECRET_MAX + 2);
    apr_size_t length;

    idv_wipe_with_pool(text, IDV_SECRET_MAX + 2, pool);
    IDV_TRY(
        idv_private_file_read(path, text, IDV_SECRET_MAX + 1, &length, pool));
    text[strcspn(text, "\r\n")] = '\0';
    if (!*text)
        return idv_error_internal(pool, "%s holds no secret", path);
    if (strlen(text) > IDV_SECRET_MAX)
        return idv_error_internal(pool, "%s: more than %d bytes in a line",
                                  path, IDV_SECRET_MAX);
    *secret = text;
    return NULL;
}
