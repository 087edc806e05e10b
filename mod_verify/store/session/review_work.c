/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/review_work.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/account/operator_key.h"
#include "store/method/evidence.h"
#include "store/method/review_fields.h"
#include "store/session/decision_record.h"
#include "store/session/review.h"

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* --- claims --- */

static idv_review_claim_t read_claim(const idv_db_result_t *rows, int row,
                                     int column)
{
    return (idv_review_claim_t){
        .reviewer = idv_db_get_text(rows, row, column),
        .claimed = idv_db_get_int(rows, row, column + 1),
        .expires_at = idv_db_get_int(rows, row, column + 2),
    };
}

idv_error_t *idv_review_claim_find(idv_db_t *db, const idv_session_t *session,
                                   idv_time_t now, idv_review_claim_t *claim,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_REVIEW_FIND_CLAIM,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_time(now)), &rows, pool));
    *claim = idv_db_rows(rows) ? read_claim(rows, 0, 0)
                               : (idv_review_claim_t){0};
    return NULL;
}

idv_error_t *idv_review_check_independence(idv_db_t *db,
                                           const idv_session_t *session,
                                           const char *reviewer,
                                           apr_pool_t *pool)
{
    idv_db_result_t *rows;
    const char *opener;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_OPENED_BY,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    opener = idv_db_rows(rows) ? idv_db_get_text(rows, 0, 0) : NULL;
    return opener && idv_operator_can_be_same(opener, reviewer, pool)
             ? idv_error_new(IDV_E_REVIEWER_NOT_INDEPENDENT, pool)
             : NULL;
}

/* Why a claim was not given: to another it was, or to the same for too long. */
static idv_error_t *refuse_claim(idv_db_t *db, const idv_session_t *session,
                                 const idv_review_claiming_t *claiming,
                                 apr_pool_t *pool)
{
    idv_review_claim_t other;
    idv_error_t *error;

    IDV_TRY(
        idv_review_claim_find(db, session, claiming->now, &other, pool));
    error = idv_error_new(IDV_E_REVIEW_CLAIMED, pool);
    if (!other.reviewer)
        error->message = "You had this session for the maximum time. For one "
                         "minute, other reviewers have priority.";
    return error;
}

/* A claim is of the name under which it was made and of no other that could be the
 * same person's: it lets its holder look at pictures of somebody. */
/* `review_claim_required` unless the session is claimed by the reviewer. */
static idv_error_t *check_claim(idv_db_t *db,
                                const idv_review_claiming_t *claiming,
                                apr_pool_t *pool)
{
    const idv_session_t session = {
        .organization_id = claiming->scope.organization_id,
        .id = claiming->session_id,
    };
    idv_review_claim_t claim;

    IDV_TRY(
        idv_review_claim_find(db, &session, claiming->now, &claim, pool));
    return claim.reviewer && strcmp(claim.reviewer, claiming->reviewer) == 0
             ? NULL
             : idv_error_new(IDV_E_REVIEW_CLAIM_REQUIRED, pool);
}

/* Whether the reviewer can be who had SESSION last (*WAS), which is locked: for
 * how long one person may have it, under whichever name. */
static idv_error_t *was_last(idv_db_t *db, const idv_session_t *session,
                             const char *reviewer, int *was, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_LAST_CLAIM,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    *was = idv_db_rows(rows)
        && idv_operator_can_be_same(idv_db_get_text(rows, 0, 0), reviewer,
                                    pool);
    return NULL;
}

idv_error_t *idv_review_claim(idv_db_t *db,
                              const idv_review_claiming_t *claiming,
                              idv_review_claim_t *claim, apr_pool_t *pool)
{
    idv_session_record_t *record;
    idv_db_result_t *rows;
    int was;

    IDV_TRY(idv_session_lock(db, &claiming->scope, claiming->session_id,
                             &record, pool));
    if (record->session->status != IDV_STATUS_UNDER_REVIEW)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    IDV_TRY(idv_review_check_independence(db, record->session,
                                          claiming->reviewer, pool));
    IDV_TRY(was_last(db, record->session, claiming->reviewer, &was, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_REVIEW_CLAIM,
        IDV_DB_PARAMS(SESSION_PARAMS(record->session),
                      idv_db_text(claiming->reviewer), idv_db_bool(was),
                      idv_db_time(claiming->now),
                      idv_db_time(claiming->now + IDV_REVIEW_CLAIM_TIME),
                      idv_db_time(IDV_REVIEW_CLAIM_LONGEST),
                      idv_db_time(IDV_REVIEW_CLAIM_PAUSE)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return refuse_claim(db, record->session, claiming, pool);
    *claim = read_claim(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_review_release(idv_db_t *db,
                                const idv_review_claiming_t *claiming,
                                apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_REVIEW_RELEASE,
        IDV_DB_PARAMS(idv_db_text(claiming->scope.organization_id),
                      idv_db_text(claiming->session_id),
                      idv_db_text(claiming->reviewer),
                      idv_db_time(claiming->now)),
        NULL, pool);
}

/* Whether another person than the reviewer is against the session, too, where
 * its organization wants that of sessions that were verified. Keys are none. */
static idv_error_t *check_second(idv_db_t *db, const idv_session_t *session,
                                 const char *reviewer, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    const char *const *actors;

    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_AGAINST,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    actors = idv_db_get_texts(rows, 0, 0, pool);
    for (; actors && *actors; actors++)
        if (!idv_id_is(IDV_ID_API_KEY, *actors)
            && !idv_operator_can_be_same(*actors, reviewer, pool))
            return NULL;
    return idv_error_new(IDV_E_FOUR_EYES_REQUIRED, pool);
}

/* Checks that the organization accepts the session's document: one refused as a
 * test issuer's specimen is not evidence for a reviewer either. */
static idv_error_t *check_issuer(idv_db_t *db, const idv_session_t *session,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_DECISION_RECORD_TEST_ISSUER_REFUSED,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    return idv_db_rows(rows) && idv_db_get_bool(rows, 0, 0)
             ? idv_error_new(IDV_E_TEST_ISSUER_REFUSED, pool)
             : NULL;
}

idv_error_t *idv_review_may_decide(idv_db_t *db,
                                   const idv_review_claiming_t *claiming,
                                   idv_decision_t decision, apr_pool_t *pool)
{
    const idv_session_t session = {
        .organization_id = claiming->scope.organization_id,
        .id = claiming->session_id,
    };
    idv_review_claim_t claim;

    IDV_TRY(
        idv_review_claim_find(db, &session, claiming->now, &claim, pool));
    /* Exactly, as in check_claim(). */
    if (claim.reviewer && strcmp(claim.reviewer, claiming->reviewer) != 0)
        return idv_error_new(IDV_E_REVIEW_CLAIMED, pool);
    if (decision == IDV_DECISION_ESCALATE)
        return NULL;
    IDV_TRY(idv_review_check_independence(db, &session, claiming->reviewer,
                                          pool));
    return decision == IDV_DECISION_REJECT
             ? check_second(db, &session, claiming->reviewer, pool)
             : check_issuer(db, &session, pool);
}

/* --- the queue --- */

/* A cursor is the deadline in milliseconds, a dot and the session's id, so that
 * it stays good when the session is decided meanwhile. */

static idv_error_t *read_cursor(const char *cursor, apr_int64_t *deadline,
                                const char **id, apr_pool_t *pool)
{
    char *end;

    *deadline = 0;
    *id = "";
    if (!cursor)
        return NULL;
    *deadline = apr_strtoi64(cursor, &end, 10);
    if (end == cursor || *deadline < 0 || *end != '.'
        || !idv_id_is(IDV_ID_SESSION, end + 1))
        return idv_error_param(pool, "cursor",
                               "must be the cursor of an entry of a page.");
    *id = end + 1;
    return NULL;
}

static void read_item(const idv_db_result_t *rows, int row,
                      idv_review_item_t *item, apr_pool_t *pool)
{
    item->session_id = idv_db_get_text(rows, row, 0);
    item->application_id = idv_db_get_text(rows, row, 1);
    item->type = idv_db_get_text(rows, row, 2);
    item->client_reference_id = idv_db_get_text(rows, row, 3);
    item->workflow_id = idv_db_get_text(rows, row, 4);
    item->risk_tier = idv_db_get_text(rows, row, 5);
    item->opened_at = idv_db_get_int(rows, row, 6);
    item->deadline = idv_db_get_int(rows, row, 7);
    item->reason = idv_db_get_text(rows, row, 8);
    item->node = idv_db_get_text(rows, row, 9);
    item->flagged = idv_db_get_bool(rows, row, 10);
    item->escalated = idv_db_get_bool(rows, row, 11);
    item->claim = read_claim(rows, row, 12);
    item->assignee = idv_db_get_text(rows, row, 15);
    item->cursor = apr_psprintf(pool, "%" APR_INT64_T_FMT ".%s",
                                item->deadline, item->session_id);
}

idv_error_t *idv_review_queue(idv_db_t *db, const idv_review_filter_t *filter,
                              apr_array_header_t **items, int *has_more,
                              apr_pool_t *pool)
{
    apr_int64_t deadline;
    idv_db_result_t *rows;
    const char *id;
    int count;

    IDV_TRY(read_cursor(filter->cursor, &deadline, &id, pool));
    IDV_TRY(idv_db_query_bound(
        db, IDV_SQL_REVIEW_QUEUE,
        IDV_DB_PARAMS(idv_db_text(filter->organization_id),
                      idv_db_int(deadline), idv_db_text(id),
                      idv_db_time(filter->now), idv_db_bool(filter->unclaimed),
                      idv_db_int(filter->limit + 1),
                      idv_db_text(filter->workflow_id),
                      idv_db_text(filter->reason),
                      idv_db_time(filter->due_before),
                      idv_db_text(filter->assignee)),
        &rows, pool));
    count = idv_db_rows(rows);
    *has_more = count > filter->limit;
    if (*has_more)
        count = filter->limit;
    *items = apr_array_make(pool, count, sizeof(idv_review_item_t));
    for (int row = 0; row < count; row++)
        read_item(rows, row, apr_array_push(*items), pool);
    return NULL;
}

#define COUNTED_MAX 10000

idv_error_t *idv_review_summary(idv_db_t *db, const char *organization_id,
                                idv_time_t now, json_t **summary,
                                apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query_bound(
        db, IDV_SQL_REVIEW_SUMMARY,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_time(now),
                      idv_db_int(COUNTED_MAX)),
        &rows, pool));
    *summary = idv_db_get_json(rows, 0, 0, pool);
    return NULL;
}

/* --- what is known of a held session --- */

static json_t *seconds(idv_time_t time)
{
    return time ? json_integer((json_int_t)idv_time_seconds(time))
                : json_null();
}

static json_t *claim_json(const idv_review_claim_t *claim)
{
    return claim->reviewer
             ? json_pack("{s:s, s:o, s:o}", "reviewer", claim->reviewer,
                         "claimed_at", seconds(claim->claimed), "expires_at",
                         seconds(claim->expires_at))
             : json_null();
}

static idv_error_t *add_claim(idv_db_t *db, const idv_session_t *session,
                              idv_time_t now, json_t *detail, apr_pool_t *pool)
{
    idv_review_claim_t claim;

    IDV_TRY(idv_review_claim_find(db, session, now, &claim, pool));
    json_object_set_new(detail, "claim", claim_json(&claim));
    return NULL;
}

static idv_error_t *add_entries(idv_db_t *db, const idv_session_t *session,
                                json_t *detail, apr_pool_t *pool)
{
    json_t *list = json_array();
    apr_array_header_t *entries;

    json_object_set_new(detail, "entries", list);
    IDV_TRY(idv_review_list_of_session(db, session, &entries, pool));
    for (int i = 0; i < entries->nelts; i++)
        json_array_append_new(
            list, idv_review_entry_json(
                      &APR_ARRAY_IDX(entries, i, idv_review_row_t)));
    return NULL;
}

static idv_error_t *add_decisions(idv_db_t *db, const idv_session_t *session,
                                  json_t *detail, apr_pool_t *pool)
{
    json_t *list = json_array();
    apr_array_header_t *records;

    json_object_set_new(detail, "decisions", list);
    IDV_TRY(idv_decision_record_list(db, session, &records, pool));
    for (int i = 0; i < records->nelts; i++) {
        const idv_decision_record_t *record =
            &APR_ARRAY_IDX(records, i, idv_decision_record_t);
        json_t *json = json_pack(
            "{s:i, s:s, s:s, s:o}", "submission", record->submission, "method",
            record->method, "verdict", record->verdict, "decided_at",
            seconds(record->decided));

        json_object_update(json, record->record);
        json_array_append_new(list, json);
    }
    return NULL;
}

idv_error_t *idv_review_assessments(idv_db_t *db, const idv_session_t *session,
                                    json_t **list, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *list = idv_json_own(json_array(), pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_RISK_OF_SESSION,
                         IDV_DB_PARAMS(SESSION_PARAMS(session),
                                       idv_db_int(IDV_REVIEW_RELATED_MAX)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++)
        json_array_append(*list, idv_db_get_json(rows, row, 0, pool));
    return NULL;
}

static idv_error_t *add_assessments(idv_db_t *db, const idv_session_t *session,
                                    json_t *detail, apr_pool_t *pool)
{
    json_t *list;

    IDV_TRY(idv_review_assessments(db, session, &list, pool));
    json_object_set(detail, "risk_assessments", list);
    return NULL;
}

static idv_error_t *add_related(idv_db_t *db, const idv_session_t *session,
                                json_t *detail, apr_pool_t *pool)
{
    json_t *list = json_array();
    idv_db_result_t *rows;

    json_object_set_new(detail, "related_sessions", list);
    IDV_TRY(idv_db_query(db, IDV_SQL_REVIEW_RELATED,
                         IDV_DB_PARAMS(SESSION_PARAMS(session),
                                       idv_db_int(IDV_REVIEW_RELATED_MAX)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        const char *const *shared = idv_db_get_texts(rows, row, 1, pool);
        json_t *names = json_array();

        for (; shared && *shared; shared++)
            json_array_append_new(names, json_string(*shared));
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:s, s:s?, s:o, s:o, s:b, s:s?}", "session_id",
                      idv_db_get_text(rows, row, 0), "shared", names, "status",
                      idv_db_get_text(rows, row, 2), "last_error",
                      idv_db_get_text(rows, row, 3), "created",
                      seconds(idv_db_get_int(rows, row, 4)), "completed_at",
                      seconds(idv_db_get_int(rows, row, 5)), "claimed",
                      idv_db_get_bool(rows, row, 6), "client_reference_id",
                      idv_db_get_text(rows, row, 7)));
    }
    return NULL;
}

static idv_error_t *add_evidence(idv_db_t *db, const idv_session_t *session,
                                 json_t *detail, apr_pool_t *pool)
{
    json_t *list = json_array();
    const char *const *names;

    json_object_set_new(detail, "evidence", list);
    IDV_TRY(idv_evidence_names(db, session, &names, pool));
    for (; *names; names++)
        json_array_append_new(list, json_string(*names));
    return NULL;
}

/* Takes out of each of LIST what its session could be found by: the ids, and of
 * the time TIME all but the day. */
static void make_nameless(json_t *list, const char *time)
{
    json_t *item;
    size_t i;

    json_array_foreach (list, i, item) {
        json_int_t at = json_integer_value(json_object_get(item, time));

        json_object_del(item, "id");
        json_object_del(item, "session_id");
        json_object_set_new(item, time, seconds(idv_time_day(at * IDV_SECOND)));
    }
}

idv_error_t *idv_review_findings(idv_db_t *db, const idv_session_t *session,
                                 json_t **findings, apr_pool_t *pool)
{
    json_t *object = idv_json_own(json_object(), pool);

    IDV_TRY(add_decisions(db, session, object, pool));
    make_nameless(json_object_get(object, "decisions"), "decided_at");
    IDV_TRY(add_assessments(db, session, object, pool));
    make_nameless(json_object_get(object, "risk_assessments"), "created");
    IDV_TRY(add_evidence(db, session, object, pool));
    *findings = json_incref(object);
    return NULL;
}

idv_error_t *idv_review_detail(idv_db_t *db, const idv_session_t *session,
                               idv_time_t now, json_t **detail,
                               apr_pool_t *pool)
{
    json_t *object = idv_json_own(json_object(), pool);

    IDV_TRY(add_claim(db, session, now, object, pool));
    IDV_TRY(add_entries(db, session, object, pool));
    IDV_TRY(add_decisions(db, session, object, pool));
    IDV_TRY(add_assessments(db, session, object, pool));
    IDV_TRY(add_related(db, session, object, pool));
    /* Evidence kept after the session's end is for a second review, which must
     * not be discoverable from it. */
    if (idv_session_status_open(session->status))
        IDV_TRY(add_evidence(db, session, object, pool));
    else
        json_object_set_new(object, "evidence", json_array());
    *detail = json_incref(object);
    return NULL;
}

/* --- viewing evidence --- */

#define LOOK_TO_DECIDE "review"

const char *const idv_review_look_reasons[] = {LOOK_TO_DECIDE, "complaint",
                                               "law", NULL};

/* The held session that LOOK is allowed to see, locked. */
static idv_error_t *lock_for_look(idv_db_t *db, const idv_review_look_t *look,
                                  idv_evidence_owner_t *owner, apr_pool_t *pool)
{
    const idv_review_claiming_t *claiming = &look->claiming;
    idv_session_record_t *record;

    IDV_TRY(idv_session_lock(db, &claiming->scope, claiming->session_id,
                             &record, pool));
    if (record->session->status != IDV_STATUS_UNDER_REVIEW)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    if (strcmp(look->reason, LOOK_TO_DECIDE) == 0)
        IDV_TRY(check_claim(db, claiming, pool));
    *owner = (idv_evidence_owner_t){.keyring = look->keyring,
                                    .session = record->session};
    return NULL;
}

idv_error_t *idv_review_look(idv_db_t *db, const idv_review_look_t *look,
                             idv_evidence_t **picture, apr_pool_t *pool)
{
    idv_evidence_owner_t owner;

    IDV_TRY(lock_for_look(db, look, &owner, pool));
    return idv_evidence_open_picture(db, &owner, look->side, picture, pool);
}

idv_error_t *idv_review_look_at_fields(idv_db_t *db,
                                       const idv_review_look_t *look,
                                       json_t **fields, apr_pool_t *pool)
{
    idv_evidence_owner_t owner;

    IDV_TRY(lock_for_look(db, look, &owner, pool));
    return idv_review_fields_find(db, &owner, fields, pool);
}
