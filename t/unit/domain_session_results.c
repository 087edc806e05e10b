/* SPDX-License-Identifier: Apache-2.0 */
/* The record of what was found: what is added, what stays, what is shown. */
#include "unit/unit.h"

#include "core/json.h"
#include "domain/session/session_results.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)

static const idv_method_check_t checks[] = {
    {"document_valid", 1, NULL, 0},
    {"dates_agree", 0, "dates_differ", 0},
};

static idv_session_result_t result_of(const char *status)
{
    return (idv_session_result_t){
        .method = "document_capture",
        .status = status,
        .assurance = IDV_ASSURANCE_DECODED,
        .checks = checks,
        .check_count = 2,
        .completed_at = NOW,
    };
}

static void writes_an_entry(void **state)
{
    idv_session_result_t result = result_of("failed");
    const idv_session_result_t *newest;
    const char *results;

    result.error_code = "document_expired";
    results = idv_session_results_add(NULL, &result, *state);
    assert_string_equal(
        results,
        "[{\"method\":\"document_capture\",\"status\":\"failed\","
        "\"assurance\":\"decoded\",\"hint\":null,"
        "\"error_code\":\"document_expired\",\"checks\":["
        "{\"name\":\"document_valid\",\"passed\":true,\"result\":\"passed\",\"reason\":null},"
        "{\"name\":\"dates_agree\",\"passed\":false,\"result\":\"failed\","
        "\"reason\":\"dates_differ\"}],\"completed_at\":1800000000}]");
    result = (idv_session_result_t){.method = "ip_analysis",
                                    .status = "low",
                                    .risk_assessment_id = "rsk_1",
                                    .completed_at = NOW};
    newest = idv_session_results_newest(results, *state);
    assert_int_equal(newest->assurance, IDV_ASSURANCE_DECODED);
    assert_string_equal(newest->method, "document_capture");
    assert_string_equal(newest->status, "failed");
    assert_string_equal(newest->error_code, "document_expired");
    results = idv_session_results_add(results, &result, *state);
    assert_string_equal(strrchr(results, '{'),
                        "{\"method\":\"ip_analysis\",\"status\":\"low\","
                        "\"assurance\":null,\"hint\":null,\"error_code\":null,"
                        "\"checks\":[],\"risk_assessment_id\":\"rsk_1\","
                        "\"completed_at\":1800000000}]");
    newest = idv_session_results_newest(results, *state);
    assert_int_equal(newest->assurance, IDV_ASSURANCE_NONE);
    assert_null(newest->error_code);
    assert_null(idv_session_results_newest(NULL, *state));
}

/* The facts of a session are those of the last of its strongest evidence. */
static void the_best_is_the_last_of_the_strongest(void **state)
{
    static const struct {
        const char *method, *status;
        idv_assurance_t assurance;
        const char *best;
    } rows[] = {
        {"nfc_passport", "failed", IDV_ASSURANCE_SIGNED, NULL},
        {"document_capture", "passed", IDV_ASSURANCE_DECODED,
         "document_capture"},
        {"nfc_passport", "passed", IDV_ASSURANCE_SIGNED, "nfc_passport"},
        {"selfie_liveness", "passed", IDV_ASSURANCE_NONE, "nfc_passport"},
        {"mdl", "undetermined", IDV_ASSURANCE_SIGNED, "nfc_passport"},
        {"mdl", "passed", IDV_ASSURANCE_SIGNED, "mdl"},
        {"document_capture", "passed", IDV_ASSURANCE_CONSISTENT, "mdl"},
    };
    const char *results = NULL;

    assert_null(idv_session_results_best(NULL, *state));
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const idv_session_result_t result = {.method = rows[i].method,
                                             .status = rows[i].status,
                                             .assurance = rows[i].assurance,
                                             .completed_at = NOW};
        const idv_session_result_t *best;

        results = idv_session_results_add(results, &result, *state);
        best = idv_session_results_best(results, *state);
        if (rows[i].best)
            assert_string_equal(best->method, rows[i].best);
        else
            assert_null(best);
    }
}

/* Also of a text that another writer has put spaces into. */
static void keeps_the_newest(void **state)
{
    const char *results = " [ {\"method\" : \"oldest, }]\"} ] ";
    json_t *entries;

    for (int i = 0; i < IDV_SESSION_RESULTS_MAX; i++) {
        idv_session_result_t result = result_of("passed");

        result.completed_at = NOW + i * IDV_SECOND;
        entries = idv_json_load(results, *state);
        assert_int_equal(json_array_size(entries), i ? i + 1 : 1);
        results = idv_session_results_add(results, &result, *state);
    }
    entries = idv_json_load(results, *state);
    assert_int_equal(json_array_size(entries), IDV_SESSION_RESULTS_MAX);
    assert_int_equal(json_integer_value(json_object_get(
                         json_array_get(entries, 0), "completed_at")),
                     1800000000);
}

static const json_t *shown(idv_json_writer_t *writer, apr_pool_t *pool)
{
    return idv_json_load(idv_json_writer_text(writer, NULL), pool);
}

static void shows_what_failed(void **state)
{
    idv_session_result_t passed = result_of("passed"),
                         failed = result_of("failed");
    const char *results = idv_session_results_add(NULL, &failed, *state);
    idv_json_writer_t writer;
    const json_t *entries, *left;

    results = idv_session_results_add(results, &passed, *state);
    idv_json_writer_init(&writer, 0, *state);
    idv_session_results_write_failed(&writer, NULL, results);
    entries = shown(&writer, *state);
    assert_int_equal(json_array_size(entries), 1);
    left = json_object_get(json_array_get(entries, 0), "checks");
    assert_int_equal(json_array_size(left), 1);
    assert_false(
        json_is_true(json_object_get(json_array_get(left, 0), "passed")));
    idv_json_writer_clear(&writer);
    idv_session_results_write_failed(&writer, NULL, NULL);
    assert_string_equal(idv_json_writer_text(&writer, NULL), "[]");
}

static const char *hash_at(const json_t *entries, size_t index)
{
    return json_string_value(
        json_object_get(json_array_get(entries, index), "credential_hash"));
}

static void shows_what_was_minted(void **state)
{
    idv_session_result_t passed = result_of("passed"), low = result_of("low");
    const idv_session_minted_t minted = {"0123", &passed};
    const char *results = idv_session_results_add(NULL, &low, *state);
    idv_json_writer_t writer;
    const json_t *entries;

    idv_json_writer_init(&writer, 0, *state);
    idv_session_results_write_minted(&writer, NULL, results, &minted);
    entries = shown(&writer, *state);
    assert_int_equal(json_array_size(entries), 2);
    assert_string_equal(hash_at(entries, 1), "0123");
    results = idv_session_results_add(results, &passed, *state);
    results = idv_session_results_add(results, &low, *state);
    idv_json_writer_clear(&writer);
    idv_session_results_write_minted(&writer, NULL, results, &minted);
    entries = shown(&writer, *state);
    assert_int_equal(json_array_size(entries), 3);
    assert_null(hash_at(entries, 0));
    assert_string_equal(hash_at(entries, 1), "0123");
    assert_null(hash_at(entries, 2));
    /* A layer that passed after it leaves no credential. */
    passed.method = "selfie_match";
    results = idv_session_results_add(results, &passed, *state);
    idv_json_writer_clear(&writer);
    idv_session_results_write_minted(&writer, NULL, results, &minted);
    entries = shown(&writer, *state);
    assert_string_equal(hash_at(entries, 1), "0123");
    assert_null(hash_at(entries, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(writes_an_entry),
        pooled_test(the_best_is_the_last_of_the_strongest),
        pooled_test(keeps_the_newest),
        pooled_test(shows_what_failed),
        pooled_test(shows_what_was_minted),
    };

    return unit_run("domain/session_results", tests);
}
