/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/compliance_directory.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_info.h>
#include <apr_strings.h>

#define SCHEMA "schema.json"

static int ends_with(const char *name, const char *suffix)
{
    apr_size_t length = strlen(name), end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the files in the directory at PATH that end with SUFFIX, sorted,
 * as an array of `const char *` in POOL. Hidden files are left out. */
static idv_error_t *list_files(const char *path, const char *suffix,
                               apr_array_header_t **names, apr_pool_t *pool)
{
    apr_dir_t *directory;
    apr_finfo_t info;
    apr_status_t status = apr_dir_open(&directory, path, pool);

    *names = apr_array_make(pool, 64, sizeof(const char *));
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    while ((status = apr_dir_read(&info, APR_FINFO_NAME, directory))
           == APR_SUCCESS)
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

/* Lays OVER over UNDER: objects member by member, everything else, null and
 * lists included, in place of what is there. */
static void lay_over(json_t *under, const json_t *over)
{
    const char *key;
    json_t *value;

    json_object_foreach ((json_t *)over, key, value) {
        json_t *there = json_object_get(under, key);

        if (json_is_object(value) && json_is_object(there))
            lay_over(there, value);
        else
            json_object_set(under, key, value);
    }
}

/* Both versions, so that an answer tells what it comes from. */
static void lay_version(json_t *document, const char *under, const json_t *over,
                        apr_pool_t *pool)
{
    const char *own =
        json_string_value(json_object_get(over, "rule_version"));

    json_object_set_new(document, "rule_version",
                        own && under
                            ? json_string(apr_pstrcat(pool, under, "+", own,
                                                      NULL))
                            : json_null());
}

typedef struct {
    const char *directory, *overlay; /* NULL: none */
    idv_compliance_rules_t *rules;
    apr_array_header_t *faults;
    apr_pool_t *scratch;
} reading_t;

/* The file NAME of DIRECTORY; NULL where it is not there, or has a fault. */
static json_t *load_file(const reading_t *reading, const char *directory,
                         const char *name)
{
    const char *path = apr_pstrcat(reading->scratch, directory, "/", name, NULL);
    json_t *document = NULL;
    apr_finfo_t info;
    idv_error_t *error;

    if (apr_stat(&info, path, APR_FINFO_TYPE, reading->scratch) != APR_SUCCESS)
        return NULL;
    error = idv_json_file_read(path, IDV_COMPLIANCE_FILE_MAX, &document,
                               reading->scratch);
    if (!error)
        return document;
    idv_compliance_fault_add(reading->faults, name, "", idv_error_cause(error));
    return NULL;
}

/* Reads the file NAME, with the operator's file of that name over it. */
static void read_file(const reading_t *reading, const char *name)
{
    json_t *document = load_file(reading, reading->directory, name);
    const char *version =
        json_string_value(json_object_get(document, "rule_version"));
    json_t *over = reading->overlay
                     ? load_file(reading, reading->overlay, name)
                     : NULL;

    if (document && over) {
        version = apr_pstrdup(reading->scratch, version ? version : "");
        lay_over(document, over);
        lay_version(document, version, over, reading->scratch);
    }
    if (document || over)
        idv_compliance_rules_add(reading->rules, name,
                                 document ? document : over, reading->faults);
}

static int has_name(const apr_array_header_t *names, const char *name)
{
    for (int i = 0; i < names->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(names, i, const char *), name) == 0)
            return 1;
    return 0;
}

/* The names of both directories, each once. */
static idv_error_t *list_names(const reading_t *reading,
                               apr_array_header_t **names, apr_pool_t *pool)
{
    apr_array_header_t *more;

    IDV_TRY(list_files(reading->directory, ".json", names, pool));
    if (!reading->overlay)
        return NULL;
    IDV_TRY(list_files(reading->overlay, ".json", &more, pool));
    for (int i = 0; i < more->nelts; i++)
        if (!has_name(*names, APR_ARRAY_IDX(more, i, const char *)))
            APR_ARRAY_PUSH(*names, const char *) =
                APR_ARRAY_IDX(more, i, const char *);
    return NULL;
}

/* The memory for reading a file is released after each. */
idv_error_t *idv_compliance_overlaid_read(const char *directory,
                                          const char *overlay,
                                          idv_compliance_rules_t **rules,
                                          apr_array_header_t **faults,
                                          apr_pool_t *pool)
{
    reading_t reading = {.directory = directory, .overlay = overlay};
    apr_array_header_t *names;
    int files = 0;

    *rules = NULL;
    *faults = apr_array_make(pool, 0, sizeof(idv_compliance_fault_t));
    IDV_TRY(list_names(&reading, &names, pool));
    reading.rules = idv_compliance_rules_new(pool);
    reading.faults = *faults;
    apr_pool_create(&reading.scratch, pool);
    for (int i = 0; i < names->nelts; i++) {
        const char *name = APR_ARRAY_IDX(names, i, const char *);

        if (strcmp(name, SCHEMA) == 0)
            continue;
        read_file(&reading, name);
        apr_pool_clear(reading.scratch);
        files++;
    }
    apr_pool_destroy(reading.scratch);
    if (!files)
        idv_compliance_fault_add(*faults, "", "", "The directory contains no "
                                                  "country.");
    if (!(*faults)->nelts)
        *rules = reading.rules;
    return NULL;
}

idv_error_t *idv_compliance_directory_read(const char *directory,
                                           idv_compliance_rules_t **rules,
                                           apr_array_header_t **faults,
                                           apr_pool_t *pool)
{
    return idv_compliance_overlaid_read(directory, NULL, rules, faults, pool);
}
