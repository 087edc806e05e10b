/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/law_announcement.h"

#include "store/webhook/event.h"

typedef struct {
    const idv_compliance_rules_t *rules;
    idv_time_t now;
    int announced;
    apr_int64_t deliveries;
} work_t;

/* One workflow, and whether anybody wants notices of each kind. */
typedef struct {
    const char *organization_id;
    idv_law_notice_subject_t subject;
    json_t *jurisdictions;
    int is_wanted[IDV_LAW_NOTICE_KIND_COUNT];
} workflow_t;

static const idv_event_type_t types[IDV_LAW_NOTICE_KIND_COUNT] = {
    [IDV_LAW_NOTICE_CHANGE] = IDV_EVENT_LAW_CHANGES,
    [IDV_LAW_NOTICE_REVIEW] = IDV_EVENT_LAW_REVIEW_DUE,
};

typedef struct {
    const workflow_t *workflow;
    idv_law_notice_kind_t kind;
    const idv_law_notice_t *notice;
} announcement_t;

static idv_error_t *announce(idv_db_t *db, work_t *work,
                             const announcement_t *announcement,
                             apr_pool_t *pool)
{
    const idv_law_notice_subject_t *subject = &announcement->workflow->subject;
    char day[IDV_DATE_TEXT_SIZE];
    apr_int64_t inserted;
    const idv_event_draft_t draft = {
        .organization_id = announcement->workflow->organization_id,
        .object_id = subject->workflow_id,
        .type = types[announcement->kind],
        .object = idv_law_notice_text(subject, announcement->kind,
                                      announcement->notice, pool),
        .created = work->now,
    };

    IDV_TRY(idv_db_execute(
        db, IDV_SQL_LAW_ANNOUNCEMENT_INSERT,
        IDV_DB_PARAMS(
            idv_db_text(announcement->workflow->organization_id),
            idv_db_text(subject->workflow_id),
            idv_db_text(idv_law_notice_kind_value(announcement->kind)),
            idv_db_text(idv_use_case_value(subject->use_case)),
            idv_db_text(announcement->notice->jurisdiction),
            idv_db_text(idv_date_format(announcement->notice->day, day)),
            idv_db_time(work->now)),
        &inserted, pool));
    if (inserted == 0)
        return NULL;
    work->announced++;
    return idv_event_insert(db, &draft, &work->deliveries, pool);
}

static idv_error_t *announce_all(idv_db_t *db, work_t *work,
                                 const workflow_t *workflow,
                                 idv_law_notices_t *notices, apr_pool_t *pool)
{
    for (int kind = 0; kind < IDV_LAW_NOTICE_KIND_COUNT; kind++) {
        const apr_array_header_t *found;

        if (!workflow->is_wanted[kind])
            continue;
        found = idv_law_notices_list(notices, (idv_law_notice_kind_t)kind,
                                     workflow->subject.use_case,
                                     workflow->jurisdictions);
        for (int i = 0; i < found->nelts
                        && work->announced < IDV_LAW_ANNOUNCEMENTS_MAX;
             i++)
            IDV_TRY(announce(
                db, work,
                &(const announcement_t){
                    .workflow = workflow,
                    .kind = (idv_law_notice_kind_t)kind,
                    .notice = &APR_ARRAY_IDX(found, i, idv_law_notice_t)},
                pool));
    }
    return NULL;
}

static idv_error_t *announce_in_transaction(idv_db_t *db, void *baton,
                                            apr_pool_t *pool)
{
    work_t *work = baton;
    idv_law_notices_t *notices = NULL;
    idv_db_result_t *rows;

    work->announced = 0;
    work->deliveries = 0;
    IDV_TRY(idv_db_query(db, IDV_SQL_LAW_ANNOUNCEMENT_SUBSCRIBED,
                         IDV_DB_NO_PARAMS, &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        const char *places = idv_db_get_text(rows, row, 4);
        const workflow_t workflow = {
            .organization_id = idv_db_get_text(rows, row, 0),
            .subject = {.workflow_id = idv_db_get_text(rows, row, 1),
                        .workflow_version_id = idv_db_get_text(rows, row, 2),
                        .use_case =
                            idv_use_case_parse(idv_db_get_text(rows, row, 3))},
            .jurisdictions = places ? idv_json_load(places, pool) : NULL,
            .is_wanted = {idv_db_get_bool(rows, row, 5),
                          idv_db_get_bool(rows, row, 6)},
        };

        if (!notices)
            notices = idv_law_notices(work->rules, work->now, pool);
        IDV_TRY(announce_all(db, work, &workflow, notices, pool));
    }
    return NULL;
}

idv_error_t *idv_law_announce(idv_db_t *db, const idv_compliance_rules_t *rules,
                              idv_time_t now, apr_int64_t *deliveries,
                              apr_pool_t *pool)
{
    work_t work = {.rules = rules, .now = now};

    IDV_TRY(idv_db_transaction(db, announce_in_transaction, &work, pool));
    *deliveries = work.deliveries;
    return NULL;
}
