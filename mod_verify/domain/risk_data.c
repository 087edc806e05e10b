/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk_data.h"

#include <string.h>

#include <apr_file_io.h>
#include <apr_strings.h>

static idv_error_t *read_json(const char *path, json_t **json,
                              apr_pool_t *pool)
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

    IDV_TRY(read_json(path, &json, pool));
    return idv_risk_policy_load(json, policy, pool);
}

idv_error_t *idv_email_domains_read(const char *path, apr_hash_t **domains,
                                    apr_pool_t *pool)
{
    json_t *json, *value;
    size_t index;

    IDV_TRY(read_json(path, &json, pool));
    if (!json_is_array(json) || json_array_size(json) > IDV_EMAIL_DOMAINS_MAX)
        return idv_error_internal(pool, "%s: not an array of at most %d "
                                  "domains", path, IDV_EMAIL_DOMAINS_MAX);
    *domains = apr_hash_make(pool);
    json_array_foreach (json, index, value) {
        if (!json_is_string(value))
            return idv_error_internal(pool, "%s: /%d: not a string", path,
                                      (int)index);
        /* The strings stay with the array, which POOL owns. */
        apr_hash_set(*domains, json_string_value(value),
                     (apr_ssize_t)json_string_length(value), value);
    }
    return NULL;
}

int idv_email_domain_is_listed(apr_hash_t *domains, const char *domain)
{
    while (domain) {
        if (apr_hash_get(domains, domain, APR_HASH_KEY_STRING))
            return 1;
        domain = strchr(domain, '.');
        domain = domain ? domain + 1 : NULL;
    }
    return 0;
}
