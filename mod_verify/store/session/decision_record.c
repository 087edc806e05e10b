/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/decision_record.h"

#include "domain/session/session_results.h"

static const char *const verdicts[] = {
    [IDV_METHOD_PASSED] = "passed",
    [IDV_METHOD_FAILED] = "failed",
    [IDV_METHOD_UNDETERMINED] = "undetermined",
    [IDV_METHOD_UNREADABLE] = "unreadable",
};

static const char *const results[] = {
#define X(name, value) value,
    IDV_CHECK_RESULTS(X)
#undef X
};

static const char *const doubts[] = {
#define X(name, setting, reason) reason,
    IDV_METHOD_DOUBTS(X)
#undef X
};

static json_t *checks_json(const idv_method_outcome_t *outcome)
{
    json_t *checks = json_array();

    for (int i = 0; i < outcome->check_count; i++) {
        const idv_method_check_t *check = &outcome->checks[i];

        json_t *entry = json_pack("{s:s, s:s, s:s?}", "check", check->name,
                                  "result", results[check->result], "reason",
                                  check->reason);

        if (check->is_silent)
            json_object_set_new(entry, "is_silent", json_true());
        json_array_append_new(checks, entry);
    }
    return checks;
}

static json_t *doubts_json(unsigned bits)
{
    json_t *list = json_array();

    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        if (bits & 1u << i)
            json_array_append_new(list, json_string(doubts[i]));
    return list;
}

static void append_basis(json_t *list, const char *kind, const char *id,
                         const char *version)
{
    if (version)
        json_array_append_new(list, json_pack("{s:s, s:s?, s:s}", "kind", kind,
                                              "id", id, "version", version));
}

static json_t *basis_json(const idv_session_t *session,
                          const idv_method_outcome_t *outcome)
{
    json_t *list = json_array();

    append_basis(list, "program", "mod_verify", VERIFY_VERSION);
    append_basis(list, "workflow", session->workflow_id,
                 session->workflow_version_id);
    append_basis(list, "law", session->jurisdiction.resolved,
                 session->compliance.rule_version);
    for (int i = 0; i < outcome->basis_count; i++)
        append_basis(list, outcome->basis[i].kind, outcome->basis[i].id,
                     outcome->basis[i].version);
    return list;
}

idv_error_t *idv_decision_record_write(idv_db_t *db,
                                       const idv_session_t *session,
                                       const idv_session_input_t *input,
                                       idv_time_t now, apr_pool_t *pool)
{
    const idv_method_outcome_t *outcome = input->outcome;
    const idv_session_result_t *taken =
        idv_session_results_newest(session->results, pool);
    json_t *record;

    if (!taken)
        return idv_error_internal(pool, "%s has no results", session->id);
    record = idv_json_own(
        json_pack("{s:o, s:o, s:s?, s:s?, s:s?, s:s?, s:s?, s:o}", "checks",
                  checks_json(outcome), "doubts", doubts_json(outcome->doubts),
                  "hint", outcome->hint, "error",
                  outcome->last_error ? outcome->last_error->code : NULL,
                  "session_verdict", taken->status, "session_error",
                  taken->error_code, "assurance",
                  idv_assurance_value(outcome->assurance), "basis",
                  basis_json(session, outcome)),
        pool);
    if (input->law_text)
        json_object_set(record, "law", idv_json_load(input->law_text, pool));

    return idv_db_execute(
        db, IDV_SQL_DECISION_RECORD_INSERT,
        IDV_DB_PARAMS(idv_db_text(session->organization_id),
                      idv_db_text(session->id), idv_db_int(input->submission),
                      idv_db_text(taken->method),
                      idv_db_text(verdicts[outcome->verdict]),
                      idv_db_json(record, pool), idv_db_time(now),
                      idv_db_bytes(outcome->sealed_fields)),
        NULL, pool);
}

idv_error_t *idv_decision_record_list(idv_db_t *db, const idv_session_t *session,
                                      apr_array_header_t **records,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_DECISION_RECORD_LIST,
                         IDV_DB_PARAMS(idv_db_text(session->organization_id),
                                       idv_db_text(session->id)),
                         &rows, pool));
    *records = apr_array_make(pool, 4, sizeof(idv_decision_record_t));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*records, idv_decision_record_t) =
            (idv_decision_record_t){
                .submission = (int)idv_db_get_int(rows, row, 0),
                .method = idv_db_get_text(rows, row, 1),
                .verdict = idv_db_get_text(rows, row, 2),
                .record = idv_db_get_json(rows, row, 3, pool),
                .decided = idv_db_get_int(rows, row, 4),
            };
    return NULL;
}
