/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/law_notice.h"

#include <string.h>

#include "domain/law/compliance_changes.h"

/* The rules of one use case that are overdue. */
typedef struct {
    const char *jurisdiction;
    idv_date_t day;
} overdue_t;

struct idv_law_notices_t {
    const idv_compliance_rules_t *rules;
    idv_date_t today;
    const apr_array_header_t *changes;       /* idv_compliance_change_t */
    const apr_array_header_t *jurisdictions; /* const char * */
    /* overdue_t; NULL: not looked for yet. */
    apr_array_header_t *overdue[IDV_USE_CASE_COUNT];
    apr_pool_t *pool;
};

idv_law_notices_t *idv_law_notices(const idv_compliance_rules_t *rules,
                                   idv_time_t now, apr_pool_t *pool)
{
    idv_law_notices_t *notices = apr_pcalloc(pool, sizeof(*notices));
    idv_date_t today = idv_date_at(now, 0);
    idv_date_t until =
        idv_date_of_days(idv_date_days(today) + IDV_LAW_NOTICE_DAYS);

    notices->rules = rules;
    notices->today = today;
    notices->changes = idv_compliance_rules_changes(rules, today, until, pool);
    notices->jurisdictions = idv_compliance_rules_jurisdictions(rules, pool);
    notices->pool = pool;
    return notices;
}

/* --- what a workflow is about --- */

/* Non-zero when A is B, or one of them is the country of the other. */
static int is_related(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), shorter = la < lb ? la : lb;

    return strncmp(a, b, shorter) == 0
        && (la == lb || (la < lb ? b : a)[shorter] == '-');
}

static int concerns(const json_t *jurisdictions, const char *jurisdiction)
{
    size_t index;
    json_t *code;

    if (json_array_size(jurisdictions) == 0)
        return 1;
    json_array_foreach (jurisdictions, index, code)
        if (json_is_string(code)
            && is_related(json_string_value(code), jurisdiction))
            return 1;
    return 0;
}

static void add(idv_law_notice_t *notice, const char *jurisdiction,
                idv_date_t day)
{
    if (notice->count++ > 0 && idv_date_compare(day, notice->day) >= 0)
        return;
    notice->jurisdiction = jurisdiction;
    notice->day = day;
}

/* --- changes --- */

static idv_date_t date_of(const char *text, apr_pool_t *pool)
{
    idv_date_t date = {0, 0, 0};

    if (text && idv_date_parse(text, &date, pool))
        date = (idv_date_t){0, 0, 0};
    return date;
}

void idv_law_notices_changes(const idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice)
{
    *notice = (idv_law_notice_t){.count = 0};
    for (int i = 0; i < notices->changes->nelts; i++) {
        const idv_compliance_change_t *change =
            &APR_ARRAY_IDX(notices->changes, i, idv_compliance_change_t);
        idv_date_t day = date_of(change->day, notices->pool);

        if (change->use_case == use_case && day.year != 0
            && concerns(jurisdictions, change->jurisdiction))
            add(notice, change->jurisdiction, day);
    }
}

/* --- reviews --- */

/* The day on which the part BASIS of a rule is due; year 0: none is known. */
static idv_date_t due_day(const idv_compliance_basis_t *basis, apr_pool_t *pool)
{
    json_t *part = json_loads(basis->text, 0, NULL);
    const char *due = json_string_value(
        json_object_get(json_object_get(part, "review"), "next_due"));
    idv_date_t day = date_of(
        due ? due : json_string_value(json_object_get(part, "looked_up")),
        pool);

    json_decref(part);
    if (!due && day.year != 0)
        day = idv_date_of_days(idv_date_days(day) + IDV_LAW_REVIEW_DAYS);
    return day;
}

static apr_array_header_t *find_overdue(const idv_law_notices_t *notices,
                                        idv_use_case_t use_case)
{
    apr_array_header_t *found =
        apr_array_make(notices->pool, 4, sizeof(overdue_t));

    for (int i = 0; i < notices->jurisdictions->nelts; i++) {
        const char *code =
            APR_ARRAY_IDX(notices->jurisdictions, i, const char *);
        const idv_compliance_question_t question = {
            .jurisdiction = code, .use_case = use_case, .day = notices->today};
        idv_compliance_rule_t rule;
        idv_date_t day;

        idv_compliance_rules_find(notices->rules, &question, &rule,
                                  notices->pool);
        if (!rule.basis)
            continue;
        day = due_day(rule.basis, notices->pool);
        if (day.year != 0 && idv_date_compare(day, notices->today) < 0)
            APR_ARRAY_PUSH(found, overdue_t) = (overdue_t){code, day};
    }
    return found;
}

void idv_law_notices_reviews(idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice)
{
    *notice = (idv_law_notice_t){.count = 0};
    if (!notices->overdue[use_case])
        notices->overdue[use_case] = find_overdue(notices, use_case);
    for (int i = 0; i < notices->overdue[use_case]->nelts; i++) {
        const overdue_t *one =
            &APR_ARRAY_IDX(notices->overdue[use_case], i, overdue_t);

        if (concerns(jurisdictions, one->jurisdiction))
            add(notice, one->jurisdiction, one->day);
    }
}
