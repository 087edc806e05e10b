/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of the law and overdue reviews of which the operator of a workflow is
 * told. */
#include "unit.h"

#include <apr_strings.h>

#include "domain/law/law_notice.h"

#define SOURCE                                                                 \
    "\"sources\":[{\"citation\":\"Act\",\"kind\":\"statute\",\"url\":"         \
    "\"https://law.example\"}],\"confidence\":\"low\""

static idv_time_t day(int year, int month, int of_month)
{
    return idv_date_days((idv_date_t){year, month, of_month}) * IDV_DAY;
}

/* A rule of AGE from FROM, with the members MORE. */
#define RULE(age, from, more)                                                  \
    "{\"prohibited\":false,\"minimum_age\":" age ",\"from\":" from "," SOURCE  \
    ",\"looked_up\":\"2026-01-31\"" more "}"
#define NO_RULE                                                                \
    "{\"from\":\"unknown\"," SOURCE                                            \
    ",\"looked_up\":\"unknown\",\"prohibited\":\"unknown\",\"minimum_age\":"   \
    "\"unknown\"}"

/* Alcohol changes in the country on 2026-09-01; tobacco in the region BY on
 * 2026-08-01, where it was reviewed until 2027-06-01. */
static const idv_compliance_rules_t *make_rules(apr_pool_t *pool)
{
    idv_compliance_rules_t *rules = idv_compliance_rules_new(pool);
    apr_array_header_t *faults =
        apr_array_make(pool, 0, sizeof(idv_compliance_fault_t));
    const char *text = "{\"country\":\"DE\",\"name\":\"Country\","
                       "\"rule_version\":\"7\",\"rules\":{";
    json_t *document;

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++)
        text = apr_psprintf(
            pool, "%s%s\"%s\":%s", text, i > 1 ? "," : "",
            idv_use_case_value(i),
            i == IDV_USE_CASE_ALCOHOL_DELIVERY ? "[" RULE(
                "16", "\"unknown\"",
                ",\"until\":\"2026-09-01\"") "," RULE("18", "\"2026-09-01\"",
                                                      "") "]"
            : i == IDV_USE_CASE_TOBACCO_NICOTINE ? RULE("18", "\"unknown\"", "")
                                                 : NO_RULE);
    text =
        apr_pstrcat(pool, text,
                    "},\"regions\":{\"BY\":{\"name\":\"Region\",\"rules\":{"
                    "\"tobacco_nicotine\":[",
                    RULE("18", "\"unknown\"", ",\"until\":\"2026-08-01\""), ",",
                    RULE("21", "\"2026-08-01\"",
                         ",\"review\":{\"by\":\"Legal\",\"on\":\"2026-06-01\","
                         "\"next_due\":\"2027-06-01\"}"),
                    "]}}}}", NULL);
    assert_null(idv_json_parse(text, strlen(text), &document, pool));
    idv_compliance_rules_add(rules, "DE.json", document, faults);
    for (int i = 0; i < faults->nelts; i++)
        fail_msg("%s: %s",
                 APR_ARRAY_IDX(faults, i, idv_compliance_fault_t).pointer,
                 APR_ARRAY_IDX(faults, i, idv_compliance_fault_t).message);
    return rules;
}

typedef void look_t(idv_law_notices_t *notices, idv_use_case_t use_case,
                    const json_t *jurisdictions, idv_law_notice_t *notice);

static void look_at_changes(idv_law_notices_t *notices, idv_use_case_t use_case,
                            const json_t *jurisdictions,
                            idv_law_notice_t *notice)
{
    idv_law_notices_changes(notices, use_case, jurisdictions, notice);
}

/* What is told on NOW of USE_CASE in PLACES: "1 DE 2026-09-01", or "0". */
static const char *told(look_t *look, idv_time_t now, idv_use_case_t use_case,
                        const char *places, apr_pool_t *pool)
{
    idv_law_notices_t *notices = idv_law_notices(make_rules(pool), now, pool);
    json_t *jurisdictions = json_loads(places, 0, NULL);
    char text[IDV_DATE_TEXT_SIZE];
    idv_law_notice_t notice;

    look(notices, use_case, jurisdictions, &notice);
    json_decref(jurisdictions);
    return notice.count
             ? apr_psprintf(pool, "%d %s %s", notice.count, notice.jurisdiction,
                            idv_date_format(notice.day, text))
             : "0";
}

static void tells_changes_within_90_days(void **state)
{
    apr_pool_t *pool = *state;
    const struct {
        idv_time_t now;
        idv_use_case_t use_case;
        const char *places, *told;
    } rows[] = {
        {day(2026, 6, 2), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"DE\"]", "0"},
        {day(2026, 6, 3), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"DE\"]",
         "1 DE 2026-09-01"},
        {day(2026, 8, 31), IDV_USE_CASE_ALCOHOL_DELIVERY, "[]",
         "1 DE 2026-09-01"},
        {day(2026, 9, 1), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"DE\"]", "0"},
        /* A change of the country concerns its regions, and the other way
           round. */
        {day(2026, 7, 1), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"DE-BY\"]",
         "1 DE 2026-09-01"},
        {day(2026, 7, 1), IDV_USE_CASE_TOBACCO_NICOTINE, "[\"FR\",\"DE\"]",
         "1 DE-BY 2026-08-01"},
        {day(2026, 7, 1), IDV_USE_CASE_TOBACCO_NICOTINE, "[\"DE-BE\"]", "0"},
        {day(2026, 7, 1), IDV_USE_CASE_TOBACCO_NICOTINE, "[\"D\",\"DEU\",7]",
         "0"},
        {day(2026, 7, 1), IDV_USE_CASE_FIREARMS, "[\"DE\"]", "0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_string_equal(told(look_at_changes, rows[i].now, rows[i].use_case,
                                 rows[i].places, pool),
                            rows[i].told);
}

static void tells_overdue_reviews(void **state)
{
    apr_pool_t *pool = *state;
    const struct {
        idv_time_t now;
        idv_use_case_t use_case;
        const char *places, *told;
    } rows[] = {
        /* A year after the rule was looked up; the region inherits it. */
        {day(2027, 1, 31), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"DE\"]", "0"},
        {day(2027, 2, 1), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"DE\"]",
         "2 DE 2027-01-31"},
        {day(2027, 2, 1), IDV_USE_CASE_ALCOHOL_DELIVERY, "[\"FR\"]", "0"},
        /* The day that the review names, though it was looked up before. Without a
         * region the strictest rule answers, which is the region's. */
        {day(2027, 6, 1), IDV_USE_CASE_TOBACCO_NICOTINE, "[\"DE\"]", "0"},
        {day(2027, 6, 2), IDV_USE_CASE_TOBACCO_NICOTINE, "[\"DE-BY\"]",
         "2 DE 2027-06-01"},
        /* Nothing is known of it anyway. */
        {day(2030, 1, 1), IDV_USE_CASE_FIREARMS, "[\"DE\"]", "0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_string_equal(told(idv_law_notices_reviews, rows[i].now,
                                 rows[i].use_case, rows[i].places, pool),
                            rows[i].told);
}

/* The region inherits the rule that is overdue, and is a notice of its own. */
static void lists_notices_one_by_one(void **state)
{
    apr_pool_t *pool = *state;
    const idv_law_notice_subject_t subject = {"wf_1", "wfv_1",
                                              IDV_USE_CASE_ALCOHOL_DELIVERY};
    idv_law_notices_t *notices =
        idv_law_notices(make_rules(pool), day(2027, 2, 1), pool);
    const apr_array_header_t *found = idv_law_notices_list(
        notices, IDV_LAW_NOTICE_REVIEW, subject.use_case, NULL);

    assert_int_equal(found->nelts, 2);
    assert_string_equal(
        idv_law_notice_text(&subject, IDV_LAW_NOTICE_REVIEW,
                            &APR_ARRAY_IDX(found, 1, idv_law_notice_t), pool),
        "{\"object\":\"workflow_law_notice\",\"workflow_id\":\"wf_1\","
        "\"workflow_version_id\":\"wfv_1\",\"use_case\":"
        "\"alcohol_delivery\",\"jurisdiction\":\"DE-BY\",\"notice\":"
        "\"review\",\"day\":\"2027-01-31\"}");
    assert_int_equal(idv_law_notices_list(notices, IDV_LAW_NOTICE_CHANGE,
                                          subject.use_case, NULL)
                         ->nelts,
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(tells_changes_within_90_days),
        pooled_test(tells_overdue_reviews),
        pooled_test(lists_notices_one_by_one),
    };

    return unit_run("domain/law_notice", tests);
}
