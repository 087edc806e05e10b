/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/review.h"

#include <math.h>
#include <string.h>

#include "core/utf8.h"

#define OTHER "other_"

const char *const idv_review_decisions[] = {
#define X(name, value) value,
    IDV_REVIEW_DECISIONS(X)
#undef X
        NULL};

const char *const idv_review_reasons[] = {
#define X(name, value, decision) value,
    IDV_REVIEW_REASONS(X)
#undef X
        NULL};

static const idv_decision_t decisions_of_reasons[] = {
#define X(name, value, decision) IDV_DECISION_##decision,
    IDV_REVIEW_REASONS(X)
#undef X
};

idv_decision_t idv_decision_parse(const char *value)
{
    for (int i = 0; value && i < IDV_DECISION_COUNT; i++)
        if (strcmp(idv_review_decisions[i], value) == 0)
            return (idv_decision_t)i;
    return IDV_DECISION_NONE;
}

int idv_review_is_said(const char *text)
{
    apr_size_t length;

    do {
        text += strspn(text, "\t\r\n");
        length = idv_utf8_invisible(text);
        text += length;
    } while (length > 0);
    return *text != '\0';
}

idv_error_t *idv_review_reason_check(idv_decision_t decision, const char *code,
                                     const char *note, apr_pool_t *pool)
{
    for (int i = 0; code && idv_review_reasons[i]; i++) {
        if (decisions_of_reasons[i] != decision
            || strcmp(idv_review_reasons[i], code) != 0)
            continue;
        return strncmp(code, OTHER, strlen(OTHER)) == 0
                    && (!note || !idv_review_is_said(note))
                 ? idv_error_param(pool, "note",
                                   "is required with this reason. Say why.")
                 : NULL;
    }
    return code ? idv_error_param(pool, "reason_code",
                                  "must be a reason of this decision.")
                : NULL;
}

static const char *const review_actions[IDV_REVIEW_ACTION_COUNT] = {
#define X(name, value) [IDV_REVIEW_##name] = value,
    IDV_REVIEW_ACTIONS(X)
#undef X
};

const char *idv_review_action_value(idv_review_action_t action)
{
    return review_actions[action];
}

#define EXPECTED_REVIEW 500 /* bytes */

static void write_overruled(idv_json_writer_t *object, const char *const *checks)
{
    if (!checks) {
        idv_json_put_null(object, "overruled_checks");
        return;
    }
    idv_json_open_array(object, "overruled_checks");
    for (; *checks; checks++)
        idv_json_put_text(object, NULL, *checks);
    idv_json_close_array(object);
}

static void write_decision(idv_json_writer_t *object,
                           const idv_review_decision_t *decision)
{
    if (!decision) {
        idv_json_put_null(object, "decision_evidence");
        return;
    }
    idv_json_open_object(object, "decision_evidence");
    idv_json_put_text(object, "decided_by", decision->by);
    idv_json_put_integer(object, "decided_at", idv_time_seconds(decision->at));
    idv_json_put_text(object, "note", decision->note);
    idv_json_put_text(object, "reason_code", decision->reason_code);
    write_overruled(object, decision->overruled);
    idv_json_close_object(object);
}

const char *idv_session_review_text(const idv_session_t *session,
                                    idv_event_type_t type,
                                    const idv_review_decision_t *decision,
                                    apr_pool_t *pool)
{
    /* the part of the type behind its dot: flagged, approved, ... */
    const char *status = strchr(idv_event_type_value(type), '.') + 1;
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_REVIEW, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "session_review");
    idv_json_put_text(&object, "session_id", session->id);
    idv_json_put_text(&object, "client_reference_id",
                      session->client_reference_id);
    idv_json_put_text(&object, "status", status);
    idv_json_put_text(&object, "reason", session->runner.review_reason);
    idv_json_put_integer(&object, "opened_at",
                         idv_time_seconds(session->review_opened_at));
    idv_json_put_integer(&object, "deadline_at",
                         idv_time_seconds(session->review_deadline));
    idv_json_put_text(&object, "workflow_version_id",
                      session->workflow_version_id);
    idv_json_put_boolean(&object, "livemode", session->livemode);
    write_decision(&object, decision);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

apr_int64_t idv_review_matrix_total(const idv_review_matrix_t *matrix,
                                    apr_int64_t *agreed)
{
    apr_int64_t total = 0;

    *agreed = 0;
    for (int i = 0; i < IDV_REVIEW_OUTCOMES; i++)
        for (int j = 0; j < IDV_REVIEW_OUTCOMES; j++) {
            total += matrix->counts[i][j];
            *agreed += i == j ? matrix->counts[i][j] : 0;
        }
    return total;
}

double idv_review_kappa(const idv_review_matrix_t *matrix)
{
    apr_int64_t agreed;
    double total = (double)idv_review_matrix_total(matrix, &agreed);
    double by_chance = 0;

    if (total <= 0)
        return NAN;
    for (int i = 0; i < IDV_REVIEW_OUTCOMES; i++) {
        double first = 0, second = 0;

        for (int j = 0; j < IDV_REVIEW_OUTCOMES; j++) {
            first += (double)matrix->counts[i][j];
            second += (double)matrix->counts[j][i];
        }
        by_chance += first / total * (second / total);
    }
    return by_chance >= 1 ? NAN
                          : ((double)agreed / total - by_chance)
                                / (1 - by_chance);
}
