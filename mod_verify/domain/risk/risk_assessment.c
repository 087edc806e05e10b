/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk/risk_assessment.h"

#include <string.h>

#include "domain/risk/risk_signals.h"

/* Lengths of texts that are enough for most. */
#define METADATA_EXPECTED 200
#define DETAILS_EXPECTED 3000
#define ASSESSMENT_EXPECTED 4000

static const struct {
    const char *key;
    const char *reason;
    idv_method_t check;
    idv_risk_kind_t subject;
} signals[] = {
#define X(name, key, points, check, subject, reason)                           \
    {key, reason, IDV_METHOD_##check, IDV_RISK_KIND_##subject},
    IDV_RISK_SIGNALS(X)
#undef X
};

static int takes_part(const idv_risk_facts_t *facts, int i)
{
    idv_method_t check = signals[i].check;

    return !facts->checks
        || (check != IDV_METHOD_NONE
            && (facts->checks & IDV_METHOD_BIT(check)) != 0);
}

/* Why signal I, which fired, is merely recorded; NULL: it counts. */
static const char *why_recorded(const idv_risk_view_t *view, int i)
{
    idv_risk_kind_t subject = signals[i].subject;

    if (view->policy->shadow[i])
        return "shadow";
    return subject != IDV_RISK_KIND_NONE
                && view->facts->listed[subject] == IDV_RISK_ALLOWED
             ? "allowed"
             : NULL;
}

static int stronger(int a, int b)
{
    return a > b ? a : b;
}

/* The points of the signals with the cause of index C, by what each has alone:
 * the strongest has all of its own, the others share what the cause leaves. */
static void share_points(const idv_risk_policy_t *policy, int c,
                         idv_risk_assessment_t *assessment)
{
    int *points = assessment->points;
    int strongest = -1, left;

    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (policy->cause_of[i] == c + 1 && points[i]
            && (strongest < 0 || points[i] > points[strongest]))
            strongest = i;
    if (strongest < 0)
        return;
    left = stronger(policy->causes[c].at_most - points[strongest], 0);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++) {
        if (policy->cause_of[i] != c + 1 || i == strongest)
            continue;
        points[i] = points[i] < left ? points[i] : left;
        left -= points[i];
    }
}

void idv_risk_add_up(const idv_risk_policy_t *policy,
                     idv_risk_assessment_t *assessment)
{
    assessment->is_shadow = policy->shadow_all;
    for (int c = 0; c < policy->cause_count; c++)
        share_points(policy, c, assessment);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        assessment->score += assessment->points[i];
    if (assessment->score > IDV_RISK_SCORE_MAX)
        assessment->score = IDV_RISK_SCORE_MAX;
    assessment->level = assessment->score >= policy->high   ? IDV_RISK_HIGH
                      : assessment->score >= policy->medium ? IDV_RISK_MEDIUM
                                                            : IDV_RISK_LOW;
}

/* Asks all signals and sets what each has fired and adds. */
static void judge_all(idv_risk_view_t *view, idv_risk_assessment_t *assessment)
{
    const idv_risk_policy_t *policy = view->policy;

    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++) {
        int fired = takes_part(view->facts, i) ? idv_risk_judge(view, i) : -1;

        assessment->fired[i] = fired;
        assessment->points[i] =
            fired > 0 && !why_recorded(view, i) ? policy->points[i] : 0;
    }
    idv_risk_add_up(policy, assessment);
}

/* Says in the metadata of signal I, which fired, why it adds less than alone.
 */
static void explain(idv_risk_view_t *view, int i,
                    const idv_risk_assessment_t *assessment)
{
    const idv_risk_policy_t *policy = view->policy;
    const char *recorded = why_recorded(view, i);

    if (assessment->points[i] == policy->points[i])
        return;
    idv_json_put_integer(&view->metadata, "points_alone", policy->points[i]);
    if (recorded)
        idv_json_put_boolean(&view->metadata, recorded, 1);
    else
        idv_json_put_text(&view->metadata, "cause",
                          policy->causes[policy->cause_of[i] - 1].name);
}

/* Writes signal I, which was evaluated. A signal that is only recorded has its
 * reason, as if it had fired, but is not triggered. */
static void write_signal(idv_json_writer_t *details, idv_risk_view_t *view,
                         int i, idv_risk_assessment_t *assessment)
{
    int fired = idv_risk_judge(view, i);

    if (fired)
        explain(view, i, assessment);
    idv_json_close_object(&view->metadata);
    if (fired && why_recorded(view, i))
        assessment->fired[i] = 0;
    idv_json_open_object(details, NULL);
    idv_json_put_text(details, "name", signals[i].key);
    idv_json_put_boolean(details, "triggered", assessment->fired[i]);
    idv_json_put_integer(details, "points", assessment->points[i]);
    idv_json_put_text(details, "reason",
                      fired ? signals[i].reason : "Nothing unusual.");
    idv_json_put_raw(details, "metadata",
                     idv_json_writer_text(&view->metadata, NULL));
    idv_json_close_object(details);
}

void idv_risk_assess(const idv_risk_policy_t *policy,
                     const idv_risk_facts_t *facts,
                     idv_risk_assessment_t *assessment, apr_pool_t *pool)
{
    idv_risk_view_t view = {.policy = policy, .facts = facts};
    idv_json_writer_t details;

    memset(assessment, 0, sizeof(*assessment));
    idv_json_writer_init(&view.metadata, METADATA_EXPECTED, pool);
    idv_json_writer_init(&details, DETAILS_EXPECTED, pool);
    judge_all(&view, assessment);
    idv_json_open_array(&details, NULL);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] >= 0)
            write_signal(&details, &view, i, assessment);
    idv_json_close_array(&details);
    assessment->signal_details = idv_json_writer_text(&details, NULL);
    assessment->automation = assessment->fired[IDV_RISK_SIGNAL_AUTOMATION] > 0
                          || assessment->fired[IDV_RISK_SIGNAL_WEBDRIVER] > 0;
}

const char *idv_risk_assessment_text(const char *id, idv_time_t created,
                                     const idv_risk_assessment_t *assessment,
                                     apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, ASSESSMENT_EXPECTED, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "id", id);
    idv_json_put_text(&object, "object", "risk_assessment");
    idv_json_put_integer(&object, "risk_score", assessment->score);
    idv_json_put_text(&object, "risk_level",
                      idv_risk_level_value(assessment->level));
    idv_json_put_text(&object, "recommendation",
                      idv_risk_recommendation(assessment->level));
    idv_json_open_array(&object, "triggered_signals");
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] > 0)
            idv_json_put_text(&object, NULL, signals[i].key);
    idv_json_close_array(&object);
    idv_json_open_array(&object, "reasons");
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] > 0)
            idv_json_put_text(&object, NULL, signals[i].reason);
    idv_json_close_array(&object);
    idv_json_put_raw(&object, "signal_details", assessment->signal_details);
    idv_json_put_integer(&object, "created", idv_time_seconds(created));
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
