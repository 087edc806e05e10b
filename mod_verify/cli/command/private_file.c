/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

struct idv_private_file_t {
    const char *path;
    int descriptor; /* -1: closed */
    int is_whole;
};

static apr_status_t close_file(void *data)
{
    idv_private_file_t *file = data;

    if (file->descriptor >= 0)
        close(file->descriptor);
    if (!file->is_whole)
        unlink(file->path);
    return APR_SUCCESS;
}

idv_error_t *idv_private_file_create(const char *name, const char *path,
                                     idv_private_file_t **file,
                                     apr_pool_t *pool)
{
    int descriptor;

    if (!*path || strcmp(path, "-") == 0)
        return idv_error_param(pool, name, "Expected the name of a new file.");
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return idv_error_param(pool, name, "Cannot create %s: %s.", path,
                               strerror(errno));
    *file = apr_pcalloc(pool, sizeof(**file));
    (*file)->path = apr_pstrdup(pool, path);
    (*file)->descriptor = descriptor;
    apr_pool_cleanup_register(pool, *file, close_file, apr_pool_cleanup_null);
    return NULL;
}

static int write_all(int descriptor, idv_bytes_t content)
{
    while (content.length > 0) {
        ssize_t count = write(descriptor, content.data, content.length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return 0;
        content.data += count;
        content.length -= (apr_size_t)count;
    }
    return 1;
}

idv_error_t *idv_private_file_write(idv_private_file_t *file,
                                    idv_bytes_t content, apr_pool_t *pool)
{
    int is_written = write_all(file->descriptor, content);

    is_written &= close(file->descriptor) == 0;
    file->descriptor = -1;
    if (!is_written)
        return idv_error_internal(pool, "%s could not be written: %s",
                                  file->path, strerror(errno));
    file->is_whole = 1;
    return NULL;
}
