/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk_data.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

/* The detail of the error names the file. */
static idv_error_t *read_json(const char *path, json_t **json, apr_pool_t *pool)
{
    idv_error_t *error =
        idv_json_file_read(path, IDV_RISK_FILE_MAX, json, pool);

    if (error && !error->detail)
        error->detail = apr_pstrcat(pool, path, ": ", error->message, NULL);
    return error;
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

void idv_risk_judge_email(const idv_risk_data_t *data, const char *email,
                          idv_risk_facts_t *facts)
{
    const char *domain = email ? strchr(email, '@') : NULL;

    if (!domain)
        return;
    if (data->disposable_domains)
        facts->email_disposable =
            idv_email_domain_is_listed(data->disposable_domains, domain + 1);
    if (data->free_domains)
        facts->email_free =
            facts->email_disposable != 1
            && idv_email_domain_is_listed(data->free_domains, domain + 1);
}
