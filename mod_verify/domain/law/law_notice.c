/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/law/law_notice.h"

#include <string.h>

#include "core/json_writer.h"
#include "domain/law/compliance_changes.h"

static const char *const kinds[IDV_LAW_NOTICE_KIND_COUNT] = {
#define X(name, value) [IDV_LAW_NOTICE_##name] = value,
    IDV_LAW_NOTICE_KINDS(X)
#undef X
};

const char *idv_law_notice_kind_value(idv_law_notice_kind_t kind)
{
    return kinds[kind];
}

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

/* --- changes --- */

static idv_date_t date_of(const char *text, apr_pool_t *pool)
{
    idv_date_t date = {0, 0, 0};

    if (text && idv_date_parse(text, &date, pool))
        date = (idv_date_t){0, 0, 0};
    return date;
}

/* Calls back with each notice that concerns USE_CASE in JURISDICTIONS. */
typedef void found_t(void *baton, const char *jurisdiction, idv_date_t day);

static void each_change(const idv_law_notices_t *notices,
                        idv_use_case_t use_case, const json_t *jurisdictions,
                        found_t *found, void *baton)
{
    for (int i = 0; i < notices->changes->nelts; i++) {
        const idv_compliance_change_t *change =
            &APR_ARRAY_IDX(notices->changes, i, idv_compliance_change_t);
        idv_date_t day = date_of(change->day, notices->pool);

        if (change->use_case == use_case && day.year != 0
            && concerns(jurisdictions, change->jurisdiction))
            found(baton, change->jurisdiction, day);
    }
}

static void add(void *baton, const char *jurisdiction, idv_date_t day)
{
    idv_law_notice_t *notice = baton;

    if (notice->count++ > 0 && idv_date_compare(day, notice->day) >= 0)
        return;
    notice->jurisdiction = jurisdiction;
    notice->day = day;
}

void idv_law_notices_changes(const idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice)
{
    *notice = (idv_law_notice_t){.count = 0};
    each_change(notices, use_case, jurisdictions, add, notice);
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

static void each_review(idv_law_notices_t *notices, idv_use_case_t use_case,
                        const json_t *jurisdictions, found_t *found,
                        void *baton)
{
    if (!notices->overdue[use_case])
        notices->overdue[use_case] = find_overdue(notices, use_case);
    for (int i = 0; i < notices->overdue[use_case]->nelts; i++) {
        const overdue_t *one =
            &APR_ARRAY_IDX(notices->overdue[use_case], i, overdue_t);

        if (concerns(jurisdictions, one->jurisdiction))
            found(baton, one->jurisdiction, one->day);
    }
}

void idv_law_notices_reviews(idv_law_notices_t *notices,
                             idv_use_case_t use_case,
                             const json_t *jurisdictions,
                             idv_law_notice_t *notice)
{
    *notice = (idv_law_notice_t){.count = 0};
    each_review(notices, use_case, jurisdictions, add, notice);
}

/* --- one by one --- */

/* Articles and channels that change together are one notice. */
static void list(void *baton, const char *jurisdiction, idv_date_t day)
{
    apr_array_header_t *found = baton;

    for (int i = 0; i < found->nelts; i++) {
        idv_law_notice_t *notice = &APR_ARRAY_IDX(found, i, idv_law_notice_t);

        if (strcmp(notice->jurisdiction, jurisdiction) == 0
            && idv_date_compare(notice->day, day) == 0) {
            notice->count++;
            return;
        }
    }
    APR_ARRAY_PUSH(found, idv_law_notice_t) =
        (idv_law_notice_t){1, jurisdiction, day};
}

apr_array_header_t *idv_law_notices_list(idv_law_notices_t *notices,
                                         idv_law_notice_kind_t kind,
                                         idv_use_case_t use_case,
                                         const json_t *jurisdictions)
{
    apr_array_header_t *found =
        apr_array_make(notices->pool, 8, sizeof(idv_law_notice_t));

    if (kind == IDV_LAW_NOTICE_CHANGE)
        each_change(notices, use_case, jurisdictions, list, found);
    else
        each_review(notices, use_case, jurisdictions, list, found);
    return found;
}

const char *idv_law_notice_text(const idv_law_notice_subject_t *subject,
                                idv_law_notice_kind_t kind,
                                const idv_law_notice_t *notice,
                                apr_pool_t *pool)
{
    char day[IDV_DATE_TEXT_SIZE];
    idv_json_writer_t object;

    idv_json_writer_init(&object, 400, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "workflow_law_notice");
    idv_json_put_text(&object, "workflow_id", subject->workflow_id);
    idv_json_put_text(&object, "workflow_version_id",
                      subject->workflow_version_id);
    idv_json_put_text(&object, "use_case",
                      idv_use_case_value(subject->use_case));
    idv_json_put_text(&object, "jurisdiction", notice->jurisdiction);
    idv_json_put_text(&object, "notice", idv_law_notice_kind_value(kind));
    idv_json_put_text(&object, "day", idv_date_format(notice->day, day));
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
