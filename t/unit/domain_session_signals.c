/* SPDX-License-Identifier: Apache-2.0 */
/* Passive checks: what is kept of a person's request, which signals belong to
 * which check, and how a session goes on by them. */
#include "unit/session_run.h"

#include <apr_strings.h>

#include "domain/risk/risk_assessment.h"
#include "domain/risk/risk_data.h"
#include "domain/session/session_risk.h"

/* checks -> id -> checks again -> yes */
static const char twice[] =
    "{\"name\":\"N\",\"start\":\"screen\",\"nodes\":{"
    "\"screen\":{\"type\":\"checks\",\"checks\":[\"device_risk\"],\"next\":{"
    "\"low\":\"id\",\"medium\":\"id\",\"high\":\"no\"}},"
    "\"id\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"next\":{\"passed\":\"place\",\"exhausted\":\"no\"}},"
    "\"place\":{\"type\":\"checks\",\"checks\":[\"geolocation\","
    "\"ip_analysis\"],\"next\":{\"low\":\"yes\",\"medium\":\"hold\","
    "\"high\":\"no\"}},"
    "\"hold\":{\"type\":\"review\",\"next\":{\"approved\":\"yes\","
    "\"rejected\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

#define DIGEST(bytes)                                                          \
    {                                                                          \
        (const unsigned char *)(bytes), IDV_DIGEST_SIZE                        \
    }
static const idv_session_signals_t seen = {
    .address = DIGEST("address-address-address-address-"),
    .device = DIGEST("device-device-device-device-devi"),
    .place = "US-MD",
    .time_zone = "America/New_York",
    .reserved = 0,
    .hosting = 1,
    .anonymizer = 0,
    .tor = -1,
    .automated = 0,
    .webdriver = 1,
    .virtual_camera = 1,
};

static idv_method_list_t list_of(idv_method_t method)
{
    idv_method_list_t list = {0};

    if (method != IDV_METHOD_NONE)
        idv_method_list_add(&list, method);
    return list;
}

static void keeps_what_a_check_looks_at(void **state)
{
    idv_method_list_t list = list_of(IDV_METHOD_DOCUMENT_CAPTURE);
    const idv_session_signals_t *kept;

    assert_null(idv_session_signals_keep(&list, NULL, &seen, *state));
    list = list_of(IDV_METHOD_GEOLOCATION);
    kept = idv_session_signals_keep(&list, NULL, &seen, *state);
    assert_string_equal(kept->place, "US-MD");
    assert_null(kept->address.data);
    assert_null(kept->device.data);
    assert_int_equal(kept->hosting, -1);
    assert_int_equal(kept->webdriver, -1);
    assert_int_equal(kept->virtual_camera, -1);
    list = list_of(IDV_METHOD_DEVICE_RISK);
    kept = idv_session_signals_keep(&list, NULL, &seen, *state);
    assert_null(kept->place);
    assert_null(kept->address.data);
    assert_non_null(kept->device.data);
    assert_int_equal(kept->hosting, -1);
    assert_int_equal(kept->webdriver, 1);
    list = list_of(IDV_METHOD_IP_ANALYSIS);
    kept = idv_session_signals_keep(&list, NULL, &seen, *state);
    assert_string_equal(kept->place, "US-MD");
    assert_non_null(kept->address.data);
    assert_null(kept->device.data);
    assert_int_equal(kept->hosting, 1);
    assert_int_equal(kept->automated, -1);
    assert_string_equal(kept->time_zone, "America/New_York");
    list = list_of(IDV_METHOD_GEOLOCATION);
    assert_null(
        idv_session_signals_keep(&list, NULL, &seen, *state)->time_zone);
}

static void remembers_the_device(void **state)
{
    idv_method_list_t list = list_of(IDV_METHOD_DEVICE_RISK);
    const idv_session_signals_t *before, *kept;
    idv_session_signals_t later;

    idv_session_signals_init(&later);
    assert_int_equal(later.tor, -1);
    later.automated = 1;
    before = idv_session_signals_keep(&list, NULL, &seen, *state);
    kept = idv_session_signals_keep(&list, before, &later, *state);
    assert_ptr_equal(kept->device.data, seen.device.data);
    assert_int_equal(kept->webdriver, 1);
    assert_int_equal(kept->virtual_camera, 1);
    assert_int_equal(kept->automated, 1);
    kept = idv_session_signals_keep(&list, kept, &seen, *state);
    assert_int_equal(kept->automated, 1);
    list = list_of(IDV_METHOD_IP_ANALYSIS);
    before = idv_session_signals_keep(&list, NULL, &seen, *state);
    kept = idv_session_signals_keep(&list, before, &later, *state);
    assert_string_equal(kept->time_zone, "America/New_York");
}

static void is_stored(void **state)
{
    static const char *const members[] = {"address", "device", "place",
                                          "hosting", "webdriver"};
    apr_pool_t *pool = *state;
    const idv_session_signals_t *loaded;
    idv_json_writer_t writer;
    const char *text;
    json_t *json;

    idv_json_writer_init(&writer, 200, pool);
    idv_session_signals_write(&writer, NULL, &seen);
    text = idv_json_writer_text(&writer, NULL);
    json = idv_json_load(text, pool);
    assert_null(idv_session_signals_read(text, &loaded, pool));
    assert_memory_equal(loaded->address.data, seen.address.data,
                        IDV_DIGEST_SIZE);
    assert_memory_equal(loaded->device.data, seen.device.data, IDV_DIGEST_SIZE);
    assert_string_equal(loaded->place, "US-MD");
    assert_string_equal(loaded->time_zone, "America/New_York");
    assert_int_equal(loaded->hosting, 1);
    assert_int_equal(loaded->tor, -1);
    assert_int_equal(loaded->webdriver, 1);
    assert_int_equal(loaded->virtual_camera, 1);
    /* Earlier releases did not know the time zone and the camera. */
    json_object_del(json, "virtual_camera");
    json_object_del(json, "time_zone");
    assert_null(idv_session_signals_read(idv_json_text(json, pool), &loaded,
                                         pool));
    assert_null(loaded->time_zone);
    assert_null(idv_session_signals_read("null", &loaded, pool));
    assert_null(loaded);
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        json_t *bad = idv_json_own(json_copy(json), pool);

        json_object_set_new(bad, members[i], json_string("zz"));
        if (strcmp(members[i], "place") == 0)
            json_object_set_new(bad, members[i], json_true());
        assert_non_null(
            idv_session_signals_read(idv_json_text(bad, pool), &loaded, pool));
        json_object_del(bad, members[i]);
        assert_non_null(
            idv_session_signals_read(idv_json_text(bad, pool), &loaded, pool));
    }
}

/* The signals that take part for CHECK with everything known, space-separated
 * in the order of the engine. */
static const char *part(idv_method_t check, apr_pool_t *pool)
{
    idv_session_t session = {
        .jurisdiction = {.declared = "US", .resolved = "US"}};
    idv_method_list_t list = list_of(check);
    idv_session_signals_t signals = seen;
    idv_risk_assessment_t assessment;
    idv_risk_facts_t facts;
    const char *names = "";
    json_t *details, *detail;
    size_t i;

    signals.tor = 0;
    session.runner.signals = &signals;
    session.runner.facts.jurisdiction = "US-MD";
    idv_session_checks_facts(&session, &list, &facts);
    for (int kind = 0; kind < IDV_RISK_KIND_COUNT; kind++)
        facts.seen[kind] = 1;
    facts.device_persons = facts.document_persons = 1;
    facts.ip_failed_age = facts.device_failed_age = 0;
    idv_risk_assess(idv_risk_policy_default(), &facts, &assessment, pool);
    details =
        idv_json_own(json_loads(assessment.signal_details, 0, NULL), pool);
    json_array_foreach (details, i, detail)
        names = apr_pstrcat(pool, names, *names ? " " : "",
                            member(detail, "name"), NULL);
    return names;
}

static void counts_the_signals_of_a_check(void **state)
{
    assert_string_equal(part(IDV_METHOD_IP_ANALYSIS, *state),
                        "ip_reserved ip_hosting ip_anonymizer ip_tor "
                        "ip_velocity ip_failed_age "
                        "claimed_country_ip_mismatch "
                        "document_country_ip_mismatch time_zone_mismatch");
    assert_string_equal(part(IDV_METHOD_DEVICE_RISK, *state),
                        "device_velocity device_shared device_failed_age "
                        "user_agent_automation webdriver_automation "
                        "virtual_camera document_shared");
    assert_string_equal(part(IDV_METHOD_GEOLOCATION, *state),
                        "ip_outside_jurisdiction");
}

static void knows_nothing_without_a_request(void **state)
{
    idv_session_t session = {.jurisdiction = {.resolved = "US"}};
    idv_method_list_t list = list_of(IDV_METHOD_IP_ANALYSIS);
    idv_risk_assessment_t assessment;
    idv_risk_facts_t facts;

    idv_method_list_add(&list, IDV_METHOD_DEVICE_RISK);
    idv_method_list_add(&list, IDV_METHOD_GEOLOCATION);
    idv_session_checks_facts(&session, &list, &facts);
    idv_risk_assess(idv_risk_policy_default(), &facts, &assessment, *state);
    assert_string_equal(assessment.signal_details, "[]");
    assert_int_equal(assessment.level, IDV_RISK_LOW);
}

static void finds_persons_elsewhere(void **state)
{
    static const struct {
        const char *jurisdiction, *place;
        idv_risk_level_t level;
    } cases[] = {
        {"US", "US-MD", IDV_RISK_LOW},       {"US-MD", "US", IDV_RISK_LOW},
        {"US-MD", "US-VA", IDV_RISK_MEDIUM}, {"US", "DE", IDV_RISK_MEDIUM},
        {"US", NULL, IDV_RISK_LOW},
    };
    idv_method_list_t list = list_of(IDV_METHOD_GEOLOCATION);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_session_t session = {
            .jurisdiction = {.resolved = cases[i].jurisdiction}};
        idv_session_signals_t signals = {.place = cases[i].place};
        idv_risk_assessment_t assessment;
        idv_risk_facts_t facts;

        session.runner.signals = &signals;
        idv_session_checks_facts(&session, &list, &facts);
        idv_risk_assess(idv_risk_policy_default(), &facts, &assessment, *state);
        assert_int_equal(assessment.level, cases[i].level);
    }
}

static idv_session_input_t result_at(const char *node, idv_risk_level_t risk)
{
    return (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                                 .checks_node = node,
                                 .risk = risk,
                                 .assessment_id = "rsk_1"};
}

/* Up to the second checks, which nobody has run yet. */
static run_t begin_second_checks(apr_pool_t *pool)
{
    run_t run = begin(twice, pool);
    idv_session_input_t input = open_widget;

    input.signals = &seen;
    does(&run, input);
    does(&run, result_at("screen", IDV_RISK_LOW));
    assert_int_equal(run.session->status, IDV_STATUS_PENDING);
    assert_non_null(run.session->runner.signals);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_int_equal(run.session->status, IDV_STATUS_PROCESSING);
    assert_int_equal(run.session->current_method, IDV_METHOD_NONE);
    assert_int_equal(run.change->effects, IDV_EFFECT_RUN_CHECKS);
    return run;
}

static void goes_on_when_the_person_is_gone(void **state)
{
    run_t run = begin_second_checks(*state);
    idv_session_input_t resume = {.type = IDV_INPUT_RESUME_CHECKS};
    json_t *item;

    assert_ptr_equal(run.session->runner.signals->device.data,
                     seen.device.data);
    does(&run, resume);
    assert_int_equal(run.change->effects, IDV_EFFECT_RUN_CHECKS);
    announced(&run, 0, 0, 0);
    changes_nothing(&run, result_at("screen", IDV_RISK_HIGH));
    does(&run, result_at("place", IDV_RISK_LOW));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    announced(&run, 1, IDV_EVENT_SESSION_VERIFIED, 0);
    assert_null(run.session->runner.signals);
    changes_nothing(&run, resume);
    /* the device, the document, two checks of one node */
    assert_int_equal(json_array_size(parsed(run.session->results, run.pool)),
                     4);
    item = json_array_get(parsed(run.session->results, run.pool), 3);
    assert_string_equal(member(item, "method"), "ip_analysis");
    assert_string_equal(member(item, "status"), "low");
    assert_string_equal(member(item, "risk_assessment_id"), "rsk_1");
    assert_int_equal(run.session->runner.verified.count, 1);
}

static void fails_and_holds_by_the_level(void **state)
{
    run_t high = begin_second_checks(*state), medium = high, late = high;
    idv_session_input_t resume = {.type = IDV_INPUT_RESUME_CHECKS};

    does(&high, result_at("place", IDV_RISK_HIGH));
    assert_int_equal(high.session->status, IDV_STATUS_FAILED);
    assert_string_equal(high.session->last_error.code, "verification_declined");
    announced(&high, 1, IDV_EVENT_SESSION_FAILED, 0);
    does(&medium, result_at("place", IDV_RISK_MEDIUM));
    assert_int_equal(medium.session->status, IDV_STATUS_UNDER_REVIEW);
    announced(&medium, 1, IDV_EVENT_REVIEW_FLAGGED, 0);
    changes_nothing(&medium, resume);
    does(&medium, approve);
    assert_int_equal(medium.session->status, IDV_STATUS_VERIFIED);
    late.now += 2 * IDV_DAY;
    changes_nothing(&late, resume);
    does(&late, expire);
    assert_null(late.session->runner.signals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(keeps_what_a_check_looks_at),
        pooled_test(remembers_the_device),
        pooled_test(is_stored),
        pooled_test(counts_the_signals_of_a_check),
        pooled_test(knows_nothing_without_a_request),
        pooled_test(finds_persons_elsewhere),
        pooled_test(goes_on_when_the_person_is_gone),
        pooled_test(fails_and_holds_by_the_level),
    };

    return unit_run("domain/session_signals", tests);
}
