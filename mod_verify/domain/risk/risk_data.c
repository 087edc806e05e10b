/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk/risk_data.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#include "domain/value/email_pattern.h"

/* --- the policy --- */

/* Causes by default. */
enum {
    CAUSE_NONE,
#define X(cause, name, at_most) CAUSE_##cause,
    IDV_RISK_CAUSES(X)
#undef X
        CAUSE_COUNT
};
_Static_assert(CAUSE_COUNT - 1 <= IDV_RISK_POLICY_CAUSES_MAX,
               "there are too many causes");

#define OF(signal, cause) [IDV_RISK_SIGNAL_##signal] = CAUSE_##cause

static const idv_risk_policy_t default_policy = {
    .points =
        {
#define X(name, key, points, check, subject, reason) points,
            IDV_RISK_SIGNALS(X)
#undef X
        },
    .causes =
        {
#define X(cause, name, at_most) {name, at_most},
            IDV_RISK_CAUSES(X)
#undef X
        },
    .cause_count = CAUSE_COUNT - 1,
    .cause_of =
        {
            OF(IP_HOSTING, RELAYED_ADDRESS),
            OF(IP_ANONYMIZER, RELAYED_ADDRESS),
            OF(IP_TOR, RELAYED_ADDRESS),
            OF(CLAIMED_IP_MISMATCH, ELSEWHERE),
            OF(DOCUMENT_IP_MISMATCH, ELSEWHERE),
            OF(DOCUMENT_CLAIM_MISMATCH, ELSEWHERE),
            OF(JURISDICTION_MISMATCH, ELSEWHERE),
            OF(OUTSIDE_JURISDICTION, ELSEWHERE),
            OF(PHONE_COUNTRY_MISMATCH, ELSEWHERE),
            OF(TIME_ZONE_MISMATCH, ELSEWHERE),
            OF(AUTOMATION, AUTOMATION),
            OF(WEBDRIVER, AUTOMATION),
            OF(EMAIL_DISPOSABLE, MAILBOX),
            OF(EMAIL_FREE, MAILBOX),
            OF(EMAIL_TAGGED, MAILBOX),
            OF(EMAIL_RANDOM, MAILBOX),
            OF(DEVICE_VELOCITY, SHARED_DEVICE),
            OF(DEVICE_SHARED, SHARED_DEVICE),
            OF(DOCUMENT_REUSED, SHARED_DOCUMENT),
            OF(DOCUMENT_SHARED, SHARED_DOCUMENT),
            OF(DOCUMENT_RECAPTURED, DOUBTFUL_PICTURE),
            OF(DOCUMENT_PASTED, DOUBTFUL_PICTURE),
            OF(VIRTUAL_CAMERA, DOUBTFUL_PICTURE),
            OF(IP_FAILED_AGE, FAILED_AGE),
            OF(DEVICE_FAILED_AGE, FAILED_AGE),
            OF(IP_BLOCKED, BLOCKED),
            OF(EMAIL_BLOCKED, BLOCKED),
            OF(PHONE_BLOCKED, BLOCKED),
            OF(DEVICE_BLOCKED, BLOCKED),
        },
    .medium = 65,
    .high = 75,
    .velocity_seconds = 3600,
    .velocity_limit = {30, 5, 5, 10},
    .device_days = 30,
    .device_persons = 5,
    .document_days = 30,
    .document_persons = 3,
    .failed_age_ip_days = 1,
    .failed_age_device_days = 30,
    .vp_token_days = 1,
    .vp_token_sessions = 10,
};
#undef OF

const idv_risk_policy_t *idv_risk_policy_default(void)
{
    return &default_policy;
}

/* A number of the policy: its location in the file, and its bounds. */
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
    NUMBER("document", "window_days", document_days, 1, 30),
    NUMBER("document", "persons", document_persons, 2, COUNT_MAX),
    NUMBER("failed_age", "ip_days", failed_age_ip_days, 1, 30),
    NUMBER("failed_age", "device_days", failed_age_device_days, 1, 30),
    NUMBER("vp_token", "window_days", vp_token_days, 1, 30),
    NUMBER("vp_token", "sessions", vp_token_sessions, 1, COUNT_MAX),
#define X(name, key, by_default, check, subject, reason)                       \
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

/* The signal that element INDEX of the list NAME of the reader's part names; -1
 * with a fault noted. */
static int read_signal(reader_t *reader, const json_t *list, const char *name,
                       size_t index)
{
    const char *key = json_string_value(json_array_get(list, index));
    int signal = key ? idv_risk_signal_parse(key) : -1;

    if (signal < 0)
        blame(reader, apr_psprintf(reader->pool, "%s/%d", name, (int)index),
              "names no signal");
    return signal;
}

/* Whether NAME is one of lower-case letters and underscores. */
static int is_cause_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_");

    return length && !name[length] && length < IDV_RISK_CAUSE_NAME_SIZE;
}

static void read_at_most(reader_t *reader, const json_t *cause,
                         idv_risk_cause_t *read)
{
    const json_t *at_most = json_object_get(cause, "at_most");

    if (!at_most)
        return;
    if (!json_is_integer(at_most) || json_integer_value(at_most) < 0
        || json_integer_value(at_most) > IDV_RISK_SCORE_MAX)
        blame(reader, "at_most",
              apr_psprintf(reader->pool, "must be a whole number from 0 to %d",
                           IDV_RISK_SCORE_MAX));
    else
        read->at_most = (int)json_integer_value(at_most);
}

/* A signal has one cause, and a cause at least two signals. */
static void read_cause(reader_t *reader, const char *name, const json_t *cause,
                       idv_risk_policy_t *policy)
{
    idv_risk_cause_t *read = &policy->causes[policy->cause_count++];
    const json_t *list = json_object_get(cause, "signals");

    reader->part = apr_pstrcat(reader->pool, "causes/", name, NULL);
    apr_cpystrn(read->name, name, sizeof(read->name));
    read_at_most(reader, cause, read);
    if (json_array_size(list) < 2)
        blame(reader, "signals", "must be a list of two signals or more");
    for (size_t i = 0; i < json_array_size(list); i++) {
        int signal = read_signal(reader, list, "signals", i);

        if (signal < 0)
            continue;
        if (policy->cause_of[signal])
            blame(reader, apr_psprintf(reader->pool, "signals/%d", (int)i),
                  "has a cause already");
        policy->cause_of[signal] = policy->cause_count;
    }
    end_object(reader, cause, json_object_get(cause, "at_most") ? 2 : 1);
}

static void read_causes(reader_t *reader, const json_t *json,
                        idv_risk_policy_t *policy)
{
    const json_t *causes = read_object(reader, json, "causes");
    const char *name;
    json_t *cause;

    json_object_foreach ((json_t *)causes, name, cause) {
        reader->part = "causes";
        if (!is_cause_name(name))
            blame(reader, "", "has a name that is not of a-z and _");
        else if (!json_is_object(cause))
            blame(reader, name, "must be an object");
        else if (policy->cause_count == IDV_RISK_POLICY_CAUSES_MAX)
            blame(reader, name, "is one too many");
        else
            read_cause(reader, name, cause, policy);
    }
}

static void read_shadow(reader_t *reader, const json_t *json,
                        idv_risk_policy_t *policy)
{
    const json_t *shadow = read_object(reader, json, "shadow");
    const json_t *all = json_object_get(shadow, "all");
    const json_t *list = json_object_get(shadow, "signals");

    if (!shadow)
        return;
    if (!json_is_boolean(all))
        blame(reader, "all", "must be true or false");
    policy->shadow_all = json_is_true(all);
    if (!json_is_array(list))
        blame(reader, "signals", "must be a list of signals");
    for (size_t i = 0; i < json_array_size(list); i++) {
        int signal = read_signal(reader, list, "signals", i);

        if (signal >= 0)
            policy->shadow[signal] = 1;
    }
    end_object(reader, shadow, 2);
}

idv_error_t *idv_risk_policy_load(const json_t *json, idv_risk_policy_t *policy,
                                  apr_pool_t *pool)
{
    reader_t reader = {pool, NULL, NULL};
    const number_t *number = numbers;
    size_t objects = 2; /* causes and shadow */

    memset(policy, 0, sizeof(*policy));
    for (; number->object; objects++)
        number = read_part(&reader, json, number, policy);
    read_causes(&reader, json, policy);
    read_shadow(&reader, json, policy);
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

/* The message about this release's file, which an upgrade stores next to an
 * existing one. */
static const char *newer_beside(const char *path, apr_pool_t *pool)
{
    const char *newer = apr_pstrcat(pool, path, ".dist", NULL);

    return access(newer, R_OK) == 0
             ? apr_pstrcat(pool, "; ", newer, " has what this release needs",
                           NULL)
             : "";
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
            apr_pstrcat(pool, path, ": ", idv_error_cause(error),
                        newer_beside(path, pool), NULL);
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
    int is_sorted = 1; /* as public lists are */
    const json_t *value;
    size_t index;

    domains->count = json_array_size(list);
    domains->sorted =
        apr_palloc(pool, (domains->count + 1) * sizeof(*domains->sorted));
    json_array_foreach (list, index, value) {
        size_t length = json_string_length(value) + 1;

        memcpy(text, json_string_value(value), length);
        domains->sorted[index] = text;
        if (index > 0 && strcmp(domains->sorted[index - 1], text) > 0)
            is_sorted = 0;
        text += length;
    }
    if (!is_sorted)
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
    facts->email_tagged = idv_email_is_tagged(email);
    facts->email_random = idv_email_is_random(email);
    if (data->disposable_domains)
        facts->email_disposable =
            idv_email_domain_is_listed(data->disposable_domains, domain + 1);
    if (data->free_domains)
        facts->email_free =
            facts->email_disposable != 1
            && idv_email_domain_is_listed(data->free_domains, domain + 1);
}
