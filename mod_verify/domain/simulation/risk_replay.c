/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/simulation/risk_replay.h"

#include <string.h>

#include "domain/risk/risk_assessment.h"

#define NOTHING_UNUSUAL "Nothing unusual."

typedef enum { NO, YES, UNKNOWN } answer_t;

/* A signal as an assessment keeps it. */
typedef struct {
    const json_t *metadata;
    int is_triggered; /* it fired and counted */
    int is_recorded;  /* it fired and did not count */
} kept_signal_t;

/* The limit of a signal: its count in the metadata, the name of its window
 * there, POLICY's values of both, and whether reaching the limit fires. */
typedef struct {
    const char *counted, *window;
    int limit, window_now;
    int fires_at_limit;
} count_t;

static apr_int64_t number(const kept_signal_t *kept, const char *name)
{
    return json_integer_value(json_object_get(kept->metadata, name));
}

static int has(const kept_signal_t *kept, const char *name)
{
    return json_object_get(kept->metadata, name) != NULL;
}

/* The count that signal I rests on; zero: it rests on none. */
static int count_of(int i, const idv_risk_policy_t *policy, count_t *count)
{
    const int *limit = policy->velocity_limit;
    const count_t velocity = {"persons", "window_seconds", 0,
                              policy->velocity_seconds, 0};

    *count = velocity;
    switch (i) {
    case IDV_RISK_SIGNAL_IP_VELOCITY:
        count->limit = limit[IDV_RISK_KIND_IP];
        return 1;
    case IDV_RISK_SIGNAL_EMAIL_VELOCITY:
        count->limit = limit[IDV_RISK_KIND_EMAIL];
        return 1;
    case IDV_RISK_SIGNAL_PHONE_VELOCITY:
        count->limit = limit[IDV_RISK_KIND_PHONE];
        return 1;
    case IDV_RISK_SIGNAL_DEVICE_VELOCITY:
        count->limit = limit[IDV_RISK_KIND_DEVICE];
        return 1;
    case IDV_RISK_SIGNAL_DEVICE_SHARED:
        *count = (count_t){"persons", "window_days", policy->device_persons,
                           policy->device_days, 1};
        return 1;
    case IDV_RISK_SIGNAL_DOCUMENT_SHARED:
        *count = (count_t){"persons", "window_days", policy->document_persons,
                           policy->document_days, 1};
        return 1;
    case IDV_RISK_SIGNAL_VP_TOKEN_VELOCITY:
        *count = (count_t){"sessions", "window_days",
                           policy->vp_token_sessions, policy->vp_token_days,
                           0};
        return 1;
    default:
        return 0;
    }
}

/* Whether the count would fire under the limit of COUNT. Counting may have
 * stopped once the original limit was exceeded. */
static answer_t fires_by_count(const kept_signal_t *kept, const count_t *count)
{
    apr_int64_t found = number(kept, count->counted);
    int fires = count->fires_at_limit ? found >= count->limit
                                      : found > count->limit;
    int had_fired = kept->is_triggered || kept->is_recorded;

    if (!has(kept, count->counted)
        || number(kept, count->window) != count->window_now)
        return UNKNOWN;
    if (fires)
        return YES;
    return had_fired ? UNKNOWN : NO;
}

static answer_t fires(int i, const idv_risk_policy_t *policy,
                      const kept_signal_t *kept)
{
    int had_fired = kept->is_triggered || kept->is_recorded;
    int days = i == IDV_RISK_SIGNAL_IP_FAILED_AGE
                 ? policy->failed_age_ip_days
             : i == IDV_RISK_SIGNAL_DEVICE_FAILED_AGE
                 ? policy->failed_age_device_days
                 : 0;
    count_t count;

    if (count_of(i, policy, &count))
        return fires_by_count(kept, &count);
    if (days && number(kept, "window_days") != days)
        return UNKNOWN;
    return had_fired ? YES : NO;
}

/* Whether signal I, which fires, would count: not when its identifier was
 * allowed, of which a signal in the shadow does not tell. */
static answer_t counts(int i, const idv_risk_policy_t *policy,
                       const kept_signal_t *kept)
{
    if (policy->shadow[i] || !policy->points[i] || has(kept, "allowed"))
        return NO;
    return kept->is_triggered ? YES : UNKNOWN;
}

static answer_t takes_points(int i, const idv_risk_policy_t *policy,
                             const kept_signal_t *kept)
{
    answer_t fired = fires(i, policy, kept);

    if (policy->shadow[i] || !policy->points[i])
        return NO;
    /* Whether the identifier of one that had not fired is allowed is not told
     * either. */
    if (fired == YES && !kept->is_triggered && !kept->is_recorded)
        return UNKNOWN;
    return fired == YES ? counts(i, policy, kept) : fired;
}

static const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

int idv_risk_replay(const idv_risk_policy_t *policy, const json_t *body,
                    idv_risk_level_t *level)
{
    const json_t *details = json_object_get(body, "signal_details");
    idv_risk_assessment_t assessment = {0};
    const json_t *detail;
    size_t at;

    if (!json_is_array(details))
        return 0;
    json_array_foreach (details, at, detail) {
        const char *name = text(detail, "name");
        const char *reason = text(detail, "reason");
        int i = name ? idv_risk_signal_parse(name) : -1;
        kept_signal_t kept = {.metadata = json_object_get(detail, "metadata")};
        answer_t answer;

        if (i < 0 || !reason)
            return 0;
        kept.is_triggered = json_is_true(json_object_get(detail, "triggered"));
        kept.is_recorded =
            !kept.is_triggered && strcmp(reason, NOTHING_UNUSUAL) != 0;
        answer = takes_points(i, policy, &kept);
        if (answer == UNKNOWN)
            return 0;
        assessment.points[i] = answer == YES ? policy->points[i] : 0;
    }
    idv_risk_add_up(policy, &assessment);
    *level = idv_risk_effective_level(&assessment);
    return 1;
}
