/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/secret_files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_strings.h>
#include <apr_tables.h>

struct idv_secret_files_t {
    const char *path;
    int directory;
    apr_array_header_t *names; /* written, const char * */
};

void idv_secret_files_discard(idv_secret_files_t *files)
{
    for (int i = 0; i < files->names->nelts; i++)
        unlinkat(files->directory,
                 APR_ARRAY_IDX(files->names, i, const char *), 0);
    apr_array_clear(files->names);
}

void idv_secret_files_keep(idv_secret_files_t *files)
{
    apr_array_clear(files->names);
}

static apr_status_t close_files(void *data)
{
    idv_secret_files_t *files = data;

    idv_secret_files_discard(files);
    close(files->directory);
    return APR_SUCCESS;
}

/* Whoever else can write to the directory could replace what is in it. */
static int is_private(const struct stat *state)
{
    return (state->st_uid == geteuid() || state->st_uid == 0)
        && (state->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

idv_error_t *idv_secret_files_open(const char *path, idv_secret_files_t **files,
                                   apr_pool_t *pool)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat state;

    if (directory < 0)
        return idv_error_param(pool, "secrets-dir", "%s: %s.", path,
                               strerror(errno));
    *files = apr_pcalloc(pool, sizeof(**files));
    (*files)->path = path;
    (*files)->directory = directory;
    (*files)->names = apr_array_make(pool, 4, sizeof(char *));
    apr_pool_cleanup_register(pool, *files, close_files, apr_pool_cleanup_null);
    return fstat(directory, &state) == 0 && is_private(&state)
             ? NULL
             : idv_error_param(pool, "secrets-dir",
                               "%s: others can write to this directory, or it "
                               "belongs to somebody else.",
                               path);
}

static const char *escaped(const char *text, apr_pool_t *pool)
{
    char *copy = apr_palloc(pool, 3 * strlen(text) + 1), *out = copy;

    for (; *text; text++)
        if (isalnum((unsigned char)*text) || strchr("-_", *text))
            *out++ = *text;
        else
            out += apr_snprintf(out, 4, "%%%02X", (unsigned char)*text);
    *out = '\0';
    return copy;
}

const char *idv_secret_file_name(const char *organization, const char *kind,
                                 const char *name, apr_pool_t *pool)
{
    return apr_pstrcat(pool, escaped(organization, pool), ".", kind, ".",
                       escaped(name, pool), NULL);
}

static int write_all(int descriptor, const char *text)
{
    size_t length = strlen(text);

    while (length > 0) {
        ssize_t count = write(descriptor, text, length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return 0;
        text += count;
        length -= (size_t)count;
    }
    return 1;
}

static idv_error_t *cannot_create(const idv_secret_files_t *files,
                                  const char *name, apr_pool_t *pool)
{
    return idv_error_param(pool, "secrets-dir", "Cannot create %s/%s: %s.",
                           files->path, name, strerror(errno));
}

idv_error_t *idv_secret_files_check(const idv_secret_files_t *files,
                                    const char *name, apr_pool_t *pool)
{
    struct stat state;

    if (fstatat(files->directory, name, &state, AT_SYMLINK_NOFOLLOW) == 0)
        errno = EEXIST;
    else if (errno == ENOENT
             && faccessat(files->directory, ".", W_OK | X_OK, AT_EACCESS) == 0)
        return NULL;
    return cannot_create(files, name, pool);
}

idv_error_t *idv_secret_files_write(idv_secret_files_t *files, const char *name,
                                    const char *secret, apr_pool_t *pool)
{
    int descriptor, is_written;

    if (strlen(name) > NAME_MAX)
        return idv_error_param(pool, "secrets-dir",
                               "The names are too long for the name of a file.");
    descriptor = openat(files->directory, name,
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                        0600);
    if (descriptor < 0)
        return cannot_create(files, name, pool);
    APR_ARRAY_PUSH(files->names, const char *) = apr_pstrdup(pool, name);
    is_written = write_all(descriptor, secret) && write_all(descriptor, "\n")
              && fsync(descriptor) == 0;
    is_written &= close(descriptor) == 0;
    return is_written ? NULL
                      : idv_error_internal(pool, "%s/%s: %s", files->path,
                                           name, strerror(errno));
}
