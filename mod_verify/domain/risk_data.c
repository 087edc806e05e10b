/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk_data.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_io.h>
#include <apr_strings.h>

static idv_error_t *read_json(const char *path, json_t **json, apr_pool_t *pool)
{
    json_error_t fault;
    apr_finfo_t info;
    apr_status_t status =
        apr_stat(&info, path, APR_FINFO_SIZE | APR_FINFO_TYPE, pool);

    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s", path);
    if (info.filetype != APR_REG || info.size > IDV_RISK_FILE_MAX)
        return idv_error_internal(pool, "%s: not a file of at most %d bytes",
                                  path, IDV_RISK_FILE_MAX);
    *json = idv_json_own(json_load_file(path, JSON_REJECT_DUPLICATES, &fault),
                         pool);
    return *json ? NULL
                 : idv_error_internal(pool, "%s:%d: %s", path, fault.line,
                                      fault.text);
}

idv_error_t *idv_risk_policy_read(const char *path, idv_risk_policy_t *policy,
                                  apr_pool_t *pool)
{
    json_t *json;
    idv_error_t *error;

    IDV_TRY(read_json(path, &json, pool));
    error = idv_risk_policy_load(json, policy, pool);
    if (error)
        error->detail =
            apr_pstrcat(pool, path, ": ", idv_error_cause(error), NULL);
    return error;
}

/* --- lists of e-mail domains --- */

struct idv_email_domains_t {
    const char **sorted;
    size_t count;
};

static int compare_domains(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The bytes of all strings of LIST, with their NULs. */
static idv_error_t *measure(const char *path, const json_t *list, size_t *size,
                            apr_pool_t *scratch)
{
    const json_t *value;
    size_t index;

    *size = 0;
    if (!json_is_array(list) || json_array_size(list) > IDV_EMAIL_DOMAINS_MAX)
        return idv_error_internal(scratch,
                                  "%s: not an array of at most %d domains",
                                  path, IDV_EMAIL_DOMAINS_MAX);
    json_array_foreach (list, index, value) {
        if (!json_is_string(value))
            return idv_error_internal(scratch, "%s: /%d: not a string", path,
                                      (int)index);
        *size += json_string_length(value) + 1;
    }
    return NULL;
}

/* One text and one array: a public list has some ten thousand domains, and
 * every process of the server keeps it. */
static idv_email_domains_t *pack(const json_t *list, size_t size,
                                 apr_pool_t *pool)
{
    idv_email_domains_t *domains = apr_palloc(pool, sizeof(*domains));
    char *text = apr_palloc(pool, size);
    const json_t *value;
    size_t index;

    domains->count = json_array_size(list);
    domains->sorted =
        apr_palloc(pool, (domains->count + 1) * sizeof(*domains->sorted));
    json_array_foreach (list, index, value) {
        size_t length = json_string_length(value) + 1;

        memcpy(text, json_string_value(value), length);
        domains->sorted[index] = text;
        text += length;
    }
    qsort(domains->sorted, domains->count, sizeof(*domains->sorted),
          compare_domains);
    return domains;
}

idv_error_t *idv_email_domains_read(const char *path,
                                    const idv_email_domains_t **domains,
                                    apr_pool_t *pool, apr_pool_t *scratch)
{
    json_t *list;
    size_t size;

    IDV_TRY(read_json(path, &list, scratch));
    IDV_TRY(measure(path, list, &size, scratch));
    *domains = pack(list, size, pool);
    return NULL;
}

int idv_email_domain_is_listed(const idv_email_domains_t *domains,
                               const char *domain)
{
    while (domain) {
        if (bsearch(&domain, domains->sorted, domains->count,
                    sizeof(*domains->sorted), compare_domains))
            return 1;
        domain = strchr(domain, '.');
        domain = domain ? domain + 1 : NULL;
    }
    return 0;
}
