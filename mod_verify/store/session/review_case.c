/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/review_case.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/request/parameters.h"
#include "domain/value/shown_name.h"
#include "store/session/decision_record.h"
#include "store/session/review.h"

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* --- failed checks --- */

static int is_last_of_method(const apr_array_header_t *records, int index)
{
    const idv_decision_record_t *all =
        (const idv_decision_record_t *)records->elts;

    if (strcmp(all[index].verdict, "unreadable") == 0)
        return 0;
    for (int i = index + 1; i < records->nelts; i++)
        if (strcmp(all[i].method, all[index].method) == 0
            && strcmp(all[i].verdict, "unreadable") != 0)
            return 0;
    return 1;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void append_failed(json_t *list, const idv_decision_record_t *record)
{
    json_t *check;
    size_t i;

    json_array_foreach (json_object_get(record->record, "checks"), i, check) {
        const char *result = text_of(check, "result");

        if (result && strcmp(result, "failed") == 0)
            json_array_append_new(
                list, json_pack("{s:s?, s:s?, s:s}", "check",
                                text_of(check, "check"), "reason",
                                text_of(check, "reason"), "method",
                                record->method));
    }
}

idv_error_t *idv_review_failed_checks(idv_db_t *db,
                                      const idv_session_t *session,
                                      json_t **checks, apr_pool_t *pool)
{
    apr_array_header_t *records;

    *checks = idv_json_own(json_array(), pool);
    IDV_TRY(idv_decision_record_list(db, session, &records, pool));
    for (int i = 0; i < records->nelts; i++)
        if (is_last_of_method(records, i))
            append_failed(*checks, &APR_ARRAY_IDX(records, i,
                                                  idv_decision_record_t));
    return NULL;
}

static int is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return 1;
    return 0;
}

static int is_failed(const json_t *checks, const char *name)
{
    json_t *check;
    size_t i;

    json_array_foreach (checks, i, check) {
        const char *failed = text_of(check, "check");

        if (failed && strcmp(failed, name) == 0)
            return 1;
    }
    return 0;
}

/* The names of CHECKS, as in a list of words. */
static const char *names_of(const json_t *checks, apr_pool_t *pool)
{
    const char *names = "";
    json_t *check;
    size_t i;

    json_array_foreach (checks, i, check)
        names = apr_pstrcat(pool, names, *names ? ", `" : "`",
                            text_of(check, "check"), "`", NULL);
    return *names ? names : "none";
}

idv_error_t *idv_review_may_overrule(idv_db_t *db,
                                     const idv_review_claiming_t *claiming,
                                     idv_decision_t decision,
                                     const char *const *overruled,
                                     apr_pool_t *pool)
{
    const idv_session_t session = {
        .organization_id = claiming->scope.organization_id,
        .id = claiming->session_id,
    };
    json_t *checks, *check;
    int is_whole = 1;
    size_t i;

    if (!overruled)
        return NULL;
    if (decision != IDV_DECISION_APPROVE)
        return idv_error_param(pool, "overruled_checks",
                               "is only available for approvals. Omit it.");
    IDV_TRY(idv_review_failed_checks(db, &session, &checks, pool));
    json_array_foreach (checks, i, check)
        is_whole &= is_among(overruled, text_of(check, "check"));
    for (; *overruled; overruled++)
        is_whole &= is_failed(checks, *overruled)
                  & !is_among(overruled + 1, *overruled);
    return is_whole ? NULL
                    : idv_error_param(pool, "overruled_checks",
                                      "must name each failed check once. The "
                                      "failed checks are: %s.",
                                      names_of(checks, pool));
}

/* --- notes and assignments --- */

/* The session under review of CLAIMING, locked. */
static idv_error_t *lock_review(idv_db_t *db,
                                const idv_review_claiming_t *claiming,
                                const idv_session_t **session,
                                apr_pool_t *pool)
{
    idv_session_record_t *record;

    IDV_TRY(idv_session_lock(db, &claiming->scope, claiming->session_id,
                             &record, pool));
    *session = record->session;
    return record->session->status == IDV_STATUS_UNDER_REVIEW
             ? NULL
             : idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
}

/* Whether the locked SESSION may have one more entry of the kind ACTION;
 * otherwise `parameter_invalid` at PARAM. */
static idv_error_t *check_room(idv_db_t *db, const idv_session_t *session,
                               const char *action, const char *param,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_REVIEW_COUNT_ENTRIES,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text(action)), &rows,
        pool));
    if (idv_db_get_int(rows, 0, 0) < IDV_REVIEW_NOTES_MAX)
        return NULL;
    return idv_error_param(pool, param,
                           "cannot be added. A session has at most %d notes, "
                           "and as many assignments.",
                           IDV_REVIEW_NOTES_MAX);
}

idv_error_t *idv_review_add_note(idv_db_t *db,
                                 const idv_review_claiming_t *claiming,
                                 const char *text, apr_pool_t *pool)
{
    const idv_review_entry_t entry = {.action = IDV_REVIEW_NOTED,
                                      .actor = claiming->reviewer,
                                      .note = text};
    const idv_session_t *session;

    if (!idv_review_is_said(text))
        return idv_error_param(pool, "text", "must contain more than spaces.");
    IDV_TRY(lock_review(db, claiming, &session, pool));
    IDV_TRY(check_room(db, session, "noted", "text", pool));
    return idv_review_record(db, session, &entry, claiming->now, pool);
}

idv_error_t *idv_review_assign(idv_db_t *db,
                               const idv_review_claiming_t *claiming,
                               const char *assignee, apr_pool_t *pool)
{
    const idv_review_entry_t entry = {.action = IDV_REVIEW_ASSIGNED,
                                      .actor = claiming->reviewer,
                                      .assignee = assignee};
    const idv_session_t *session;
    const char *before;
    idv_review_claim_t claim;

    if (assignee)
        IDV_TRY(idv_shown_name_check("assignee", assignee, IDV_REVIEWER_MAX,
                                     pool));
    IDV_TRY(lock_review(db, claiming, &session, pool));
    if (assignee)
        IDV_TRY(idv_review_check_independence(db, session, assignee, pool));
    IDV_TRY(idv_review_claim_find(db, session, claiming->now, &claim, pool));
    if (claim.reviewer && strcmp(claim.reviewer, claiming->reviewer) != 0
        && !(assignee && strcmp(claim.reviewer, assignee) == 0))
        return idv_error_new(IDV_E_REVIEW_CLAIMED, pool);
    IDV_TRY(idv_review_assignee(db, session, &before, pool));
    /* Taking it from somebody is always possible, and nothing else without a
     * name is recorded. */
    if (assignee)
        IDV_TRY(check_room(db, session, "assigned", "assignee", pool));
    if (assignee || before)
        IDV_TRY(idv_review_record(db, session, &entry, claiming->now, pool));
    return idv_review_release(db, claiming, pool);
}

idv_error_t *idv_review_assignee(idv_db_t *db, const idv_session_t *session,
                                 const char **assignee, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_ASSIGNEE,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    *assignee = idv_db_rows(rows) ? idv_db_get_text(rows, 0, 0) : NULL;
    return NULL;
}
