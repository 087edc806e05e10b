/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trust/trust_source.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_strings.h>

#include "core/terminal_text.h"
#include "domain/value/civil_date.h"
#include "methods/trust/certificate_view.h"

/* Files in a directory that is read as one list. */
#define FILES_MAX 1024
/* Certificates that are named individually, at most. */
#define TOLD_MAX 20

/* --- files --- */

static idv_error_t *read_bytes(apr_file_t *file, idv_trust_source_t *source,
                               apr_size_t length, apr_pool_t *pool)
{
    char *buffer = apr_palloc(pool, length + 1);
    apr_status_t status = apr_file_read_full(file, buffer, length, &length);

    if (status != APR_SUCCESS && !APR_STATUS_IS_EOF(status))
        return idv_error_apr(pool, status, "%s", source->path);
    buffer[length] = '\0';
    source->bytes = (idv_bytes_t){(unsigned char *)buffer, length};
    return NULL;
}

static idv_error_t *read_one(const char *path, apr_array_header_t *sources,
                             apr_size_t *total, apr_pool_t *pool)
{
    idv_trust_source_t source = {.path = path};
    idv_error_t *error;
    apr_file_t *file;
    apr_finfo_t info;
    apr_status_t status = apr_file_open(&file, path, APR_READ | APR_BINARY, 0,
                                        pool);

    if (status == APR_SUCCESS)
        status = apr_file_info_get(&info, APR_FINFO_SIZE | APR_FINFO_TYPE, file);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    if (info.filetype != APR_REG)
        return idv_error_param(pool, NULL, "%s is %s, not a file.", path,
                               info.filetype == APR_DIR ? "a directory"
                                                        : "something else");
    if (info.size == 0)
        return idv_error_param(pool, NULL, "%s is empty.", path);
    if (info.size > (apr_off_t)(IDV_TRUST_FILE_MAX - *total))
        return idv_error_param(pool, NULL, "More than %d bytes, at %s.",
                               IDV_TRUST_FILE_MAX, path);
    error = read_bytes(file, &source, (apr_size_t)info.size, pool);
    apr_file_close(file);
    *total += source.bytes.length;
    APR_ARRAY_PUSH(sources, idv_trust_source_t) = source;
    return error;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static idv_error_t *list_directory(const char *path, apr_array_header_t **names,
                                   apr_pool_t *pool)
{
    const char *between = path[strlen(path) - 1] == '/' ? "" : "/";
    apr_dir_t *directory;
    apr_finfo_t info;
    apr_status_t status = apr_dir_open(&directory, path, pool);

    *names = apr_array_make(pool, 16, sizeof(char *));
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    while (apr_dir_read(&info, APR_FINFO_NAME, directory) == APR_SUCCESS)
        if (info.name[0] != '.')
            APR_ARRAY_PUSH(*names, const char *) =
                apr_pstrcat(pool, path, between, info.name, NULL);
    apr_dir_close(directory);
    if ((*names)->nelts == 0 || (*names)->nelts > FILES_MAX)
        return idv_error_param(pool, NULL,
                               "Expected a directory with 1 to %d files; %s "
                               "has %d.",
                               FILES_MAX, path, (*names)->nelts);
    qsort((*names)->elts, (size_t)(*names)->nelts, sizeof(char *), by_name);
    return NULL;
}

idv_error_t *idv_trust_sources_read(const char *path,
                                    apr_array_header_t **sources,
                                    apr_pool_t *pool)
{
    apr_array_header_t *names;
    apr_size_t total = 0;
    apr_finfo_t info;

    *sources = apr_array_make(pool, 1, sizeof(idv_trust_source_t));
    if (apr_stat(&info, path, APR_FINFO_TYPE, pool) != APR_SUCCESS
        || info.filetype != APR_DIR)
        return read_one(path, *sources, &total, pool);
    IDV_TRY(list_directory(path, &names, pool));
    for (int i = 0; i < names->nelts; i++)
        IDV_TRY(read_one(APR_ARRAY_IDX(names, i, const char *), *sources,
                         &total, pool));
    return NULL;
}

idv_bytes_t idv_trust_sources_join(const apr_array_header_t *sources,
                                   apr_pool_t *pool)
{
    apr_size_t length = 0;
    unsigned char *whole, *out;

    for (int i = 0; i < sources->nelts; i++)
        length += APR_ARRAY_IDX(sources, i, idv_trust_source_t).bytes.length;
    whole = out = apr_palloc(pool, length + 1);
    for (int i = 0; i < sources->nelts; i++) {
        idv_bytes_t part = APR_ARRAY_IDX(sources, i, idv_trust_source_t).bytes;

        memcpy(out, part.data, part.length);
        out += part.length;
    }
    return (idv_bytes_t){whole, length};
}

/* ERROR with the path of the file at fault. If no file is to blame, the readers
 * name an option. */
static idv_error_t *name_file(const idv_trust_source_t *source,
                              idv_error_t *error, apr_pool_t *pool)
{
    if (!error || error->code != IDV_E_PARAMETER_INVALID || error->param)
        return error;
    return idv_error_param(pool, NULL, "%s: %s", source->path, error->message);
}

idv_error_t *idv_trust_sources_certificates(const apr_array_header_t *sources,
                                            apr_array_header_t **certificates,
                                            apr_pool_t *pool)
{
    *certificates = apr_array_make(pool, 4, sizeof(idv_bytes_t));
    for (int i = 0; i < sources->nelts; i++) {
        const idv_trust_source_t *source =
            &APR_ARRAY_IDX(sources, i, idv_trust_source_t);

        IDV_TRY(name_file(source,
                          idv_trust_certificates_read(source->bytes,
                                                      *certificates, pool),
                          pool));
    }
    return NULL;
}

/* --- expired certificates --- */

static void warn(json_t *warnings, const char *text, apr_pool_t *pool)
{
    json_array_append_new(warnings,
                          json_string(idv_terminal_text(text, pool)));
}

/* The day on which CERTIFICATE expired, with its subject or "a certificate" in
 * *NAME; NULL if it has not expired. */
static const char *day_of_end(const idv_trust_certificate_t *certificate,
                              idv_time_t now, const char **name,
                              apr_pool_t *pool)
{
    json_t *view = idv_json_own(
        idv_certificate_view_json(certificate->certificate, pool), pool);
    const json_t *end = json_object_get(view, "not_after");
    idv_time_t ends = IDV_SECOND * json_integer_value(end);
    char day[IDV_DATE_TEXT_SIZE];

    *name = json_string_value(json_object_get(view, "subject"));
    if (!*name)
        *name = "a certificate";
    return json_is_integer(end) && ends < now
             ? apr_pstrdup(pool, idv_date_format(idv_date_at(ends, 0), day))
             : NULL;
}

/* Warns of expired certificates in PART and returns their number. Names each
 * one in an operator's own list; third-party lists are left to their
 * publisher. */
static int warn_of_ended(const idv_trust_source_t *source,
                         const idv_trust_content_t *part,
                         const idv_trust_reading_t *reading, json_t *warnings,
                         apr_pool_t *pool)
{
    int is_own = idv_trust_kind_is_plain(reading->kind);
    const apr_array_header_t *certificates = part->certificates;
    const char *day, *name;
    int ended = 0;

    for (int i = 0; i < certificates->nelts; i++) {
        day = day_of_end(&APR_ARRAY_IDX(certificates, i, idv_trust_certificate_t),
                         reading->now, &name, pool);
        ended += day != NULL;
        if (day && is_own && json_array_size(warnings) < TOLD_MAX)
            warn(warnings,
                 apr_psprintf(pool, "%s: %s expired on %s.", source->path, name,
                              day),
                 pool);
    }
    if (ended && !is_own)
        warn(warnings,
             apr_psprintf(pool, "%d of %d certificates in the list have "
                                "expired.",
                          ended, certificates->nelts),
             pool);
    return ended;
}

/* --- contents --- */

/* Each file in a directory of certificates is read separately, so that the
 * directory may mix DER and PEM. */
static idv_error_t *read_part(const idv_trust_source_t *source,
                              const idv_trust_reading_t *reading,
                              idv_trust_content_t **part, apr_pool_t *pool)
{
    return name_file(
        source, idv_trust_file_read(source->bytes, reading, part, pool), pool);
}

static idv_error_t *add_part(idv_trust_content_t *content,
                             const idv_trust_content_t *part, apr_pool_t *pool)
{
    for (int i = 0; i < part->certificates->nelts; i++)
        IDV_TRY(idv_trust_content_add(
            content,
            APR_ARRAY_IDX(part->certificates, i, idv_trust_certificate_t)
                .certificate,
            NULL, pool));
    return NULL;
}

static idv_error_t *refuse_several(const apr_array_header_t *sources,
                                   const idv_trust_reading_t *reading,
                                   apr_pool_t *pool)
{
    const char *path = APR_ARRAY_IDX(sources, 0, idv_trust_source_t).path;

    if (sources->nelts == 1 || idv_trust_kind_is_plain(reading->kind))
        return NULL;
    return idv_error_param(pool, NULL,
                           "A list of kind %s is a single file; %.*s has %d.",
                           idv_trust_kind_value(reading->kind),
                           (int)(strrchr(path, '/') - path), path,
                           sources->nelts);
}

/* The facts of a list other than its certificates. */
static void warn_of_list(const idv_trust_content_t *content, idv_time_t now,
                         json_t *warnings, apr_pool_t *pool)
{
    if (content->next_update && content->next_update <= now)
        warn(warnings,
             "A newer edition is due. Download it from the publisher.",
             pool);
    if (content->passed_over)
        warn(warnings,
             "Some entries of the file are not used: they are not "
             "authorities, not in force, or for other services.",
             pool);
}

idv_error_t *idv_trust_sources_content(const apr_array_header_t *sources,
                                       const idv_trust_reading_t *reading,
                                       idv_trust_content_t **content,
                                       json_t *warnings, apr_pool_t *pool)
{
    idv_trust_content_t *part;
    int ended = 0;

    IDV_TRY(refuse_several(sources, reading, pool));
    for (int i = 0; i < sources->nelts; i++) {
        const idv_trust_source_t *source =
            &APR_ARRAY_IDX(sources, i, idv_trust_source_t);

        IDV_TRY(read_part(source, reading, &part, pool));
        ended += warn_of_ended(source, part, reading, warnings, pool);
        if (i == 0)
            *content = part;
        else
            IDV_TRY(add_part(*content, part, pool));
    }
    if (json_array_size(warnings) == TOLD_MAX && ended > TOLD_MAX)
        warn(warnings, apr_psprintf(pool, "%d have expired in total.", ended), pool);
    warn_of_list(*content, reading->now, warnings, pool);
    return NULL;
}
