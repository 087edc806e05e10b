/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk_data.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

/* --- the policy --- */

const idv_risk_policy_t *idv_risk_policy_default(void)
{
    static const idv_risk_policy_t policy = {
        .points =
            {
#define X(name, key, points, check, reason) points,
                IDV_RISK_SIGNALS(X)
#undef X
            },
        .medium = 30,
        .high = 70,
        .velocity_seconds = 3600,
        .velocity_limit = {30, 5, 5, 10},
        .device_days = 30,
        .device_persons = 3,
        .vp_token_days = 1,
        .vp_token_sessions = 10,
    };

    return &policy;
}

/* A number of the policy: where it stands in the file, and its bounds. */
typedef struct {
    const char *object, *name;
    size_t offset;
    int minimum, maximum;
} number_t;

#define NUMBER(object, key, member, minimum, maximum)                          \
    {                                                                          \
        object, key, offsetof(idv_risk_policy_t, member), minimum, maximum     \
    }
#define COUNT_MAX 100000

/* The numbers of the file; those of one object stand together. */
static const number_t numbers[] = {
    NUMBER("thresholds", "medium", medium, 0, IDV_RISK_SCORE_MAX),
    NUMBER("thresholds", "high", high, 0, IDV_RISK_SCORE_MAX),
    NUMBER("velocity", "window_seconds", velocity_seconds, 60, 86400),
#define X(name, value)                                                         \
    NUMBER("velocity", value, velocity_limit[IDV_RISK_KIND_##name], 1,         \
           COUNT_MAX),
    IDV_RISK_KINDS(X)
#undef X
        NUMBER("device", "window_days", device_days, 1, 30),
    NUMBER("device", "persons", device_persons, 1, COUNT_MAX),
    NUMBER("vp_token", "window_days", vp_token_days, 1, 30),
    NUMBER("vp_token", "sessions", vp_token_sessions, 1, COUNT_MAX),
#define X(name, key, by_default, check, reason)                                \
    NUMBER("signals", key, points[IDV_RISK_SIGNAL_##name], 0,                  \
           IDV_RISK_SCORE_MAX),
    IDV_RISK_SIGNALS(X)
#undef X
        {0},
};

/* Reads numbers of objects and notes all faults. */
typedef struct {
    apr_pool_t *pool;
    const char *part; /* the name of the object, NULL for the whole */
    const char *fault;
} reader_t;

static void blame(reader_t *reader, const char *name, const char *what)
{
    const char *part = reader->part;

    reader->fault =
        apr_pstrcat(reader->pool, reader->fault ? reader->fault : "",
                    reader->fault ? "; " : "", part ? "/" : "",
                    part ? part : "", "/", name, ": ", what, NULL);
}

static const json_t *read_object(reader_t *reader, const json_t *policy,
                                 const char *name)
{
    const json_t *object = json_object_get(policy, name);

    reader->part = NULL;
    if (!object)
        blame(reader, name, "is missing");
    else if (!json_is_object(object))
        blame(reader, name, "must be an object");
    reader->part = name;
    return json_is_object(object) ? object : NULL;
}

static void read_number(reader_t *reader, const json_t *object,
                        const number_t *number, idv_risk_policy_t *policy)
{
    const json_t *value = json_object_get(object, number->name);

    if (!object)
        return;
    if (!value)
        blame(reader, number->name, "is missing");
    else if (!json_is_integer(value)
             || json_integer_value(value) < number->minimum
             || json_integer_value(value) > number->maximum)
        blame(reader, number->name,
              apr_psprintf(reader->pool, "must be a whole number from %d to %d",
                           number->minimum, number->maximum));
    else
        *(int *)((char *)policy + number->offset) =
            (int)json_integer_value(value);
}

/* Once all that is known of it was read: is there more in it? */
static void end_object(reader_t *reader, const json_t *object, size_t members)
{
    if (!reader->fault && json_object_size(object) != members)
        blame(reader, "", "has members that nobody knows");
}

/* Reads the object of FIRST, and returns what is behind its numbers. */
static const number_t *read_part(reader_t *reader, const json_t *json,
                                 const number_t *first,
                                 idv_risk_policy_t *policy)
{
    const json_t *object = read_object(reader, json, first->object);
    const number_t *number = first;

    for (; number->object && strcmp(number->object, first->object) == 0;
         number++)
        read_number(reader, object, number, policy);
    end_object(reader, object, (size_t)(number - first));
    return number;
}

idv_error_t *idv_risk_policy_load(const json_t *json, idv_risk_policy_t *policy,
                                  apr_pool_t *pool)
{
    reader_t reader = {pool, NULL, NULL};
    const number_t *number = numbers;
    size_t objects = 0;

    for (; number->object; objects++)
        number = read_part(&reader, json, number, policy);
    reader.part = NULL;
    end_object(&reader, json, objects);
    if (!reader.fault && policy->medium >= policy->high)
        blame(&reader, "thresholds", "medium must be below high");
    return reader.fault ? idv_error_internal(pool, "%s", reader.fault) : NULL;
}

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
