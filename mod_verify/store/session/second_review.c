/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/second_review.h"

#include <math.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/account/operator_key.h"
#include "store/session/review.h"
#include "store/session/review_work.h"

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)
#define PURPOSE "second review"
#define COLUMN_COUNT 15 /* of sql/fragments/second_review_columns.sql */
#define BATCH 100       /* read at once of a list, behind the first page */

/* --- the sample --- */

/* A number of 0 to 99 that tells nothing of the decision: 32 bits of an HMAC are
 * far more than a hundred, so that no number is noticeably likelier. */
static int number_of(const idv_keyring_t *keyring, const idv_session_t *before,
                     apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const char *text = apr_psprintf(pool, PURPOSE " %s %" APR_INT64_T_FMT,
                                    before->id, before->review_opened_at);
    apr_uint32_t number = 0;

    idv_hmac_sha256((idv_bytes_t){keyring->secret, IDV_KEY_SIZE}, text,
                    strlen(text), digest);
    for (int i = 0; i < 4; i++)
        number = number << 8 | digest[i];
    return (int)(number % 100);
}

/* The decision made by the change; NONE: none by a person. */
static idv_decision_t decision_of(const idv_session_change_t *change)
{
    for (int i = 0; i < change->review_count; i++) {
        if (change->reviews[i].action == IDV_REVIEW_APPROVED)
            return IDV_DECISION_APPROVE;
        if (change->reviews[i].action == IDV_REVIEW_REJECTED)
            return IDV_DECISION_REJECT;
    }
    return IDV_DECISION_NONE;
}

idv_error_t *
idv_second_review_choose(idv_db_t *db,
                         const idv_second_review_candidate_t *candidate,
                         apr_pool_t *pool)
{
    const idv_session_t *before = candidate->before;
    const idv_session_t *after = candidate->change->session;
    const idv_keyring_t *keyring = candidate->keyring;
    idv_decision_t decision = decision_of(candidate->change);
    idv_time_t today = idv_time_day(candidate->now);
    idv_time_t deadline = today + IDV_SECOND_REVIEW_TIME;
    idv_time_t last =
        idv_time_day(before->review_opened_at + IDV_SECOND_REVIEW_EVIDENCE_MAX);

    if (last < deadline)
        deadline = last;
    /* Nobody could decide what lapses at once. */
    if (decision == IDV_DECISION_NONE || !keyring
        || idv_session_status_open(after->status) || deadline <= candidate->now)
        return NULL;
    return idv_db_execute(
        db, IDV_SQL_SECOND_REVIEW_CHOOSE,
        IDV_DB_PARAMS(SESSION_PARAMS(after),
                      idv_db_int(number_of(keyring, before, pool)),
                      idv_db_text(idv_id_new(IDV_ID_SECOND_REVIEW, today,
                                             pool)),
                      idv_db_text(idv_review_decisions[decision]),
                      idv_db_time(today),
                      idv_db_time(deadline)),
        NULL, pool);
}

idv_error_t *idv_second_review_is_open(idv_db_t *db,
                                       const idv_session_t *session,
                                       int *is_open, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_SECOND_REVIEW_IS_OPEN,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    *is_open = idv_db_get_bool(rows, 0, 0);
    return NULL;
}

/* --- what a reviewer finds --- */

int idv_second_review_is_id(const char *text)
{
    return idv_id_is(IDV_ID_SECOND_REVIEW, text)
        || idv_id_is(IDV_ID_REVIEW_ENTRY, text);
}

/* Bounds of both kinds of ids, of which those of former times come first. */
#define SHOWN_IDS(cursor, pool)                                                \
    idv_cursor_lower(cursor, IDV_ID_REVIEW_ENTRY, pool),                       \
        idv_cursor_upper(cursor, IDV_ID_SECOND_REVIEW, pool),                  \
        idv_cursor_limit(cursor)

static void read_row(const idv_db_result_t *rows, int row,
                     idv_second_review_t *review)
{
    *review = (idv_second_review_t){
        .id = idv_db_get_text(rows, row, 0),
        .session_id = idv_db_get_text(rows, row, 1),
        .first_reviewer = idv_db_get_text(rows, row, 2),
        .first_decision = idv_db_get_text(rows, row, 3),
        .first_reason = idv_db_get_text(rows, row, 4),
        .chosen_at = idv_db_get_int(rows, row, 5),
        .deadline = idv_db_get_int(rows, row, 6),
        .second_reviewer = idv_db_get_text(rows, row, 7),
        .second_decision = idv_db_get_text(rows, row, 8),
        .second_reason = idv_db_get_text(rows, row, 9),
        .decided_at = idv_db_get_int(rows, row, 10),
        .lapsed_at = idv_db_get_int(rows, row, 11),
        .settled_by = idv_db_get_text(rows, row, 12),
        .settled_decision = idv_db_get_text(rows, row, 13),
        .settled_at = idv_db_get_int(rows, row, 14),
    };
}

/* The query for a list, from the current position. */
typedef struct {
    const idv_second_review_asking_t *asking;
    int disagreed;
    idv_cursor_t rest;
    apr_array_header_t *found; /* of idv_second_review_t, as they come */
    int has_more;
} walk_t;

static idv_error_t *query_batch(idv_db_t *db, const walk_t *walk,
                                idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *rest = &walk->rest;
    idv_db_param_t organization = idv_db_text(walk->asking->organization_id);

    if (walk->disagreed)
        return idv_db_query(
            db,
            idv_cursor_statement(rest, IDV_SQL_SECOND_REVIEW_LIST_DISAGREED,
                                 IDV_SQL_SECOND_REVIEW_LIST_DISAGREED_NEWER),
            IDV_DB_PARAMS(organization, SHOWN_IDS(rest, pool)),
            rows, pool);
    return idv_db_query(
        db,
        idv_cursor_statement(rest, IDV_SQL_SECOND_REVIEW_LIST,
                             IDV_SQL_SECOND_REVIEW_LIST_NEWER),
        IDV_DB_PARAMS(organization, idv_db_time(walk->asking->now),
                      SHOWN_IDS(rest, pool)),
        rows, pool);
}

/* Goes on by a batch, and leaves out what the reviewer had to do with. */
static idv_error_t *walk_on(idv_db_t *db, walk_t *walk, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_second_review_t review = {0};
    int count;

    IDV_TRY(query_batch(db, walk, &rows, pool));
    count = idv_db_rows(rows);
    walk->has_more = count > walk->rest.limit;
    for (int row = 0; row < count; row++) {
        read_row(rows, row, &review);
        if (walk->disagreed
            || !idv_operator_can_be_among(
                walk->asking->reviewer,
                idv_db_get_texts(rows, row, COLUMN_COUNT, pool), pool))
            APR_ARRAY_PUSH(walk->found, idv_second_review_t) = review;
    }
    if (count && walk->rest.ending_before)
        walk->rest.ending_before = review.id;
    else if (count)
        walk->rest.starting_after = review.id;
    walk->rest.limit = BATCH;
    return NULL;
}

/* The reviewer's own are in between, and are known by no statement
 * (domain/account/operator_key.h): batch by batch until a page and one more are found. */
idv_error_t *idv_second_review_page(idv_db_t *db,
                                    const idv_second_review_query_t *query,
                                    apr_array_header_t **items, int *has_more,
                                    apr_pool_t *pool)
{
    walk_t walk = {query->asking, query->disagreed, query->cursor, NULL, 1};
    int count;

    walk.found = apr_array_make(pool, query->cursor.limit + 1,
                                sizeof(idv_second_review_t));
    while (walk.has_more && walk.found->nelts <= query->cursor.limit)
        IDV_TRY(walk_on(db, &walk, pool));
    *has_more = walk.found->nelts > query->cursor.limit;
    count = *has_more ? query->cursor.limit : walk.found->nelts;
    *items = apr_array_make(pool, count, sizeof(idv_second_review_t));
    for (int i = 0; i < count; i++)
        APR_ARRAY_PUSH(*items, idv_second_review_t) = APR_ARRAY_IDX(
            walk.found, query->cursor.ending_before ? count - 1 - i : i,
            idv_second_review_t);
    return NULL;
}

static idv_error_t *find(idv_db_t *db,
                         const idv_second_review_asking_t *asking,
                         idv_second_review_t *review, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_second_review_is_id(asking->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_SECOND_REVIEW_FIND,
                         IDV_DB_PARAMS(idv_db_text(asking->organization_id),
                                       idv_db_text(asking->id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    read_row(rows, 0, review);
    return NULL;
}

/* `reviewer_not_independent` for a person among those found by STATEMENT, which
 * takes organization_id and session_id. */
static idv_error_t *check_independence(
    idv_db_t *db, idv_sql_t statement,
    const idv_second_review_asking_t *asking,
    const idv_second_review_t *review, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, statement,
                         IDV_DB_PARAMS(idv_db_text(asking->organization_id),
                                       idv_db_text(review->session_id)),
                         &rows, pool));
    return idv_operator_can_be_among(asking->reviewer,
                                     idv_db_get_texts(rows, 0, 0, pool), pool)
             ? idv_error_new(IDV_E_REVIEWER_NOT_INDEPENDENT, pool)
             : NULL;
}

/* Reads a second review that is open and locks its session, which goes to
 * *RECORD. Inside a transaction. */
static idv_error_t *open_review(idv_db_t *db,
                                const idv_second_review_asking_t *asking,
                                idv_second_review_t *review,
                                idv_session_record_t **record, apr_pool_t *pool)
{
    const idv_scope_t scope = {.organization_id = asking->organization_id};

    IDV_TRY(find(db, asking, review, pool));
    IDV_TRY(idv_session_lock(db, &scope, review->session_id, record, pool));
    IDV_TRY(find(db, asking, review, pool)); /* as it stands under the lock */
    /* The person who decided it counts as involved, but gets the answer that the
     * review is over. */
    if (review->decided_at || review->lapsed_at
        || review->deadline <= asking->now)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    return check_independence(db, IDV_SQL_SECOND_REVIEW_INVOLVED, asking,
                              review, pool);
}

/* --- as it is shown --- */

/* The day of TIME, the only part that is revealed. New reference. */
static json_t *day_json(idv_time_t time)
{
    return json_integer((json_int_t)idv_time_seconds(idv_time_day(time)));
}

idv_error_t *idv_second_review_subject(idv_db_t *db,
                                       const idv_second_review_asking_t *asking,
                                       json_t **subject, apr_pool_t *pool)
{
    idv_second_review_t review;
    idv_session_record_t *record;
    json_t *findings;

    IDV_TRY(open_review(db, asking, &review, &record, pool));
    IDV_TRY(idv_review_findings(db, record->session, &findings, pool));
    *subject = json_pack(
        "{s:s, s:s, s:s, s:s?, s:o, s:o}", "id", review.id, "object",
        "second_review", "type", idv_session_type_value(record->session->type),
        "jurisdiction", record->session->jurisdiction.resolved, "chosen_at",
        day_json(review.chosen_at), "deadline_at", day_json(review.deadline));
    json_object_update(*subject, idv_json_own(findings, pool));
    return NULL;
}

idv_error_t *idv_second_review_look(idv_db_t *db,
                                    const idv_second_review_look_t *look,
                                    idv_evidence_t **picture, apr_pool_t *pool)
{
    idv_second_review_t review;
    idv_session_record_t *record;

    IDV_TRY(open_review(db, &look->asking, &review, &record, pool));
    return idv_evidence_open_picture(
        db,
        &(const idv_evidence_owner_t){.keyring = look->keyring,
                                      .session = record->session},
        look->side, picture, pool);
}

/* The data shown once there are two decisions. New reference. */
static json_t *decided_json(const idv_second_review_t *review)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s?, s:s, s:s, s:s?, s:b, s:o, s:s?, s:s?, s:o}",
        "session_id", review->session_id, "first_reviewer",
        review->first_reviewer, "first_decision", review->first_decision,
        "first_reason", review->first_reason, "second_reviewer",
        review->second_reviewer, "second_decision", review->second_decision,
        "second_reason", review->second_reason, "agrees",
        strcmp(review->first_decision, review->second_decision) == 0,
        "decided_at",
        idv_json_integer_or_null(idv_time_seconds(review->decided_at)),
        "settled_by", review->settled_by, "settled_decision",
        review->settled_decision, "settled_at",
        idv_json_integer_or_null(idv_time_seconds(review->settled_at)));
}

json_t *idv_second_review_json(const idv_second_review_t *review)
{
    json_t *json = json_pack("{s:s, s:s, s:o, s:o}", "id", review->id, "object",
                             "second_review", "chosen_at",
                             day_json(review->chosen_at), "deadline_at",
                             day_json(review->deadline));
    json_t *decided = review->decided_at ? decided_json(review) : NULL;

    json_object_update(json, decided);
    json_decref(decided);
    return json;
}

/* --- decisions --- */

static idv_error_t *take_row(const idv_db_result_t *rows,
                             idv_second_review_t *review, apr_pool_t *pool)
{
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    read_row(rows, 0, review);
    return NULL;
}

/* After the decision, by any reviewer: the evidence of an ended session is kept
 * only for its second reviews. */
static idv_error_t *purge_evidence(idv_db_t *db, const idv_session_t *session,
                                   apr_pool_t *pool)
{
    int is_open;

    IDV_TRY(idv_second_review_is_open(db, session, &is_open, pool));
    return is_open || idv_session_status_open(session->status)
             ? NULL
             : idv_db_execute(db, IDV_SQL_EVIDENCE_PURGE,
                              IDV_DB_PARAMS(SESSION_PARAMS(session)), NULL,
                              pool);
}

idv_error_t *idv_second_review_decide(idv_db_t *db,
                                      const idv_second_review_asking_t *asking,
                                      const idv_second_decision_t *second,
                                      idv_second_review_t *review,
                                      apr_pool_t *pool)
{
    idv_session_record_t *record;
    idv_db_result_t *rows;

    IDV_TRY(open_review(db, asking, review, &record, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_SECOND_REVIEW_DECIDE,
        IDV_DB_PARAMS(idv_db_text(asking->organization_id),
                      idv_db_text(asking->id), idv_db_text(asking->reviewer),
                      idv_db_text(idv_review_decisions[second->decision]),
                      idv_db_text(second->reason), idv_db_time(asking->now)),
        &rows, pool));
    IDV_TRY(take_row(rows, review, pool));
    return purge_evidence(db, record->session, pool);
}

idv_error_t *idv_second_review_settle(idv_db_t *db,
                                      const idv_second_review_asking_t *asking,
                                      idv_decision_t decision,
                                      idv_second_review_t *review,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(find(db, asking, review, pool));
    IDV_TRY(check_independence(db, IDV_SQL_SECOND_REVIEW_DECIDERS, asking,
                               review, pool));
    if (review->second_reviewer
        && idv_operator_can_be_same(review->second_reviewer,
                                    asking->reviewer, pool))
        return idv_error_new(IDV_E_REVIEWER_NOT_INDEPENDENT, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_SECOND_REVIEW_SETTLE,
        IDV_DB_PARAMS(idv_db_text(asking->organization_id),
                      idv_db_text(asking->id), idv_db_text(asking->reviewer),
                      idv_db_text(idv_review_decisions[decision]),
                      idv_db_time(asking->now)),
        &rows, pool));
    return take_row(rows, review, pool);
}

/* --- figures --- */

static json_t *ratio(apr_int64_t part, apr_int64_t whole)
{
    return whole ? json_real((double)part / (double)whole) : json_null();
}

static json_t *matrix_json(const idv_review_matrix_t *matrix)
{
    json_t *object = json_object();

    for (int i = 0; i < IDV_REVIEW_OUTCOMES; i++) {
        json_t *row = json_object();

        for (int j = 0; j < IDV_REVIEW_OUTCOMES; j++)
            json_object_set_new(row, idv_review_decisions[j],
                                json_integer((json_int_t)matrix->counts[i][j]));
        json_object_set_new(object, idv_review_decisions[i], row);
    }
    return object;
}

/* Adds COUNT decisions for REASON to LIST, whose last one may be of the same. */
static void count_reason(json_t *list, const char *reason, apr_int64_t count,
                         int is_agreed)
{
    size_t length = json_array_size(list);
    json_t *last = length ? json_array_get(list, length - 1) : NULL;
    json_t *known = last ? json_object_get(last, "reason_code") : NULL;
    const char *code = known ? json_string_value(known) : NULL;
    json_int_t n = 0, agreed = 0;

    if (!last || (code ? !reason || strcmp(code, reason) != 0 : !!reason)) {
        last = json_pack("{s:s?}", "reason_code", reason);
        json_array_append_new(list, last);
    } else {
        n = json_integer_value(json_object_get(last, "n"));
        agreed = json_integer_value(json_object_get(last, "agreed"));
    }
    n += (json_int_t)count;
    agreed += is_agreed ? (json_int_t)count : 0;
    json_object_set_new(last, "n", json_integer(n));
    json_object_set_new(last, "agreed", json_integer(agreed));
}

static idv_error_t *add_counts(idv_db_t *db, const char *organization_id,
                               json_t *figures, apr_pool_t *pool)
{
    static const char *const names[] = {"open", "lapsed", "disagreed"};
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_SECOND_REVIEW_COUNT,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    for (int i = 0; i < 3; i++)
        json_object_set_new(figures, names[i],
                            json_integer((json_int_t)idv_db_get_int(rows, 0,
                                                                    i)));
    return NULL;
}

idv_error_t *idv_second_review_agreement(idv_db_t *db,
                                         const char *organization_id,
                                         json_t **figures, apr_pool_t *pool)
{
    json_t *object = idv_json_own(json_object(), pool);
    json_t *reasons = json_array();
    idv_review_matrix_t matrix = {0};
    idv_db_result_t *rows;
    apr_int64_t n, agreed;
    double kappa;

    json_object_set_new(object, "reasons", reasons);
    IDV_TRY(idv_db_query(db, IDV_SQL_SECOND_REVIEW_AGREEMENT,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_decision_t first =
            idv_decision_parse(idv_db_get_text(rows, row, 0));
        idv_decision_t second =
            idv_decision_parse(idv_db_get_text(rows, row, 2));
        apr_int64_t count = idv_db_get_int(rows, row, 3);

        matrix.counts[first][second] += count;
        count_reason(reasons, idv_db_get_text(rows, row, 1), count,
                     first == second);
    }
    n = idv_review_matrix_total(&matrix, &agreed);
    kappa = idv_review_kappa(&matrix);
    json_object_set_new(object, "n", json_integer((json_int_t)n));
    json_object_set_new(object, "agreed", json_integer((json_int_t)agreed));
    json_object_set_new(object, "agreement", ratio(agreed, n));
    json_object_set_new(object, "kappa",
                        isnan(kappa) ? json_null() : json_real(kappa));
    json_object_set_new(object, "matrix", matrix_json(&matrix));
    IDV_TRY(add_counts(db, organization_id, object, pool));
    *figures = json_incref(object);
    return NULL;
}

idv_error_t *idv_second_review_percent(idv_db_t *db,
                                       const char *organization_id,
                                       int *percent, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (*percent < 0)
        IDV_TRY(idv_db_query(db, IDV_SQL_SECOND_REVIEW_PERCENT,
                             IDV_DB_PARAMS(idv_db_text(organization_id)),
                             &rows, pool));
    else
        IDV_TRY(idv_db_query(db, IDV_SQL_SECOND_REVIEW_SET_PERCENT,
                             IDV_DB_PARAMS(idv_db_text(organization_id),
                                           idv_db_int(*percent),
                                           idv_db_time(idv_time_now())),
                             &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *percent = (int)idv_db_get_int(rows, 0, 0);
    return NULL;
}
