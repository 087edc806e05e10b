/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from findings about a person: prompts, the verdict on a
 * challenge, and on two faces.
 */
#include "unit/unit.h"

#include <string.h>

#include "core/json.h"
#include "methods/face/face_decision.h"

static apr_pool_t *pool;

static int set_up(void **state)
{
    (void)state;
    apr_pool_create(&pool, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    apr_pool_destroy(pool);
    return 0;
}

/* --- prompts --- */

static void each_sequence_has_no_repetition(void **state)
{
    idv_liveness_prompt_t prompts[IDV_LIVENESS_STEPS];
    int seen[5 * 5 * 5 * 5] = {0}, different = 0;

    (void)state;
    for (apr_uint32_t number = 0; number < 640; number++) {
        int index = 0;

        idv_liveness_prompts_of(number, prompts);
        for (int i = 0; i < IDV_LIVENESS_STEPS; i++) {
            assert_in_range(prompts[i], 0, IDV_LIVENESS_PROMPT_COUNT - 1);
            assert_true(i == 0 || prompts[i] != prompts[i - 1]);
            index = index * 5 + (int)prompts[i];
        }
        different += seen[index]++ == 0;
    }
    assert_int_equal(different, 320);
    for (int i = 0; i < 625; i++)
        assert_true(seen[i] == 0 || seen[i] == 2);
}

static void parts_have_names_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; i < IDV_LIVENESS_PARTS; i++)
        assert_int_equal(idv_liveness_part_index(idv_liveness_part_name(i)), i);
    assert_string_equal(idv_liveness_part_name(idv_liveness_part_of(3, 2)),
                        "step_3_2");
    assert_int_equal(idv_liveness_part_index("front"), -1);
}

/* --- challenges --- */

static const idv_liveness_challenge_t challenge = {
    .id = "lvc_1",
    .prompts = {IDV_LIVENESS_LEFT, IDV_LIVENESS_UP, IDV_LIVENESS_NEUTRAL,
                IDV_LIVENESS_DOWN},
    .told = {1000, 4000, 7000, 10000},
    .arrived = {4000, 7000, 10000, 13000},
};

/* Findings of somebody who does as the challenge says. */
static idv_face_findings_t obedient(void)
{
    static const double turned[IDV_LIVENESS_STEPS][2] = {
        {18, 0}, {0, 14}, {0, 0}, {0, -14}};
    idv_face_findings_t findings = {.frame_count = IDV_LIVENESS_PARTS};

    for (int i = 0; i < IDV_LIVENESS_PARTS; i++)
        findings.frames[i] = (idv_face_frame_t){
            .faces = 1,
            .yaw = -3,
            .pitch = 5,
            .eye_distance = 90,
            .brightness = 130,
            .to_still = i ? 0.8 : IDV_FACE_NOT_COMPARED,
            .to_former = i ? 0.9 : IDV_FACE_NOT_COMPARED,
        };
    for (int step = 1; step <= IDV_LIVENESS_STEPS; step++)
        for (int frame = 3; frame <= IDV_LIVENESS_FRAMES; frame++) {
            idv_face_frame_t *seen =
                &findings.frames[idv_liveness_part_of(step, frame)];

            seen->yaw += turned[step - 1][0];
            seen->pitch += turned[step - 1][1];
        }
    findings.reference = (idv_face_reference_t){
        .source = IDV_PORTRAIT_SOURCE_DOCUMENT,
        .faces = 1,
        .eye_distance = 60,
        .first = 0.7,
        .second = 0.95};
    return findings;
}

static const idv_method_outcome_t *decide(const idv_face_findings_t *findings,
                                          const idv_liveness_rule_t *rule)
{
    idv_method_outcome_t *outcome;

    assert_null(idv_liveness_decide(findings, rule, &outcome, pool));
    return outcome;
}

static double score_of(const idv_method_outcome_t *outcome)
{
    return json_number_value(
        json_object_get(outcome->verification_result, "liveness_score"));
}

static void who_follows_is_live(void **state)
{
    const idv_liveness_rule_t rule = {.challenge = &challenge};
    idv_face_findings_t findings = obedient();
    const idv_method_outcome_t *outcome = decide(&findings, &rule);
    const json_t *liveness;

    (void)state;
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_int_equal(outcome->check_count, 5);
    assert_null(outcome->last_error);
    assert_true(score_of(outcome) >= 0.8 && score_of(outcome) <= 1);
    liveness = json_object_get(outcome->verification_result, "liveness");
    assert_string_equal(
        json_string_value(json_object_get(liveness, "assurance")), "basic");
}

static void fails_with(const idv_face_findings_t *findings,
                       const idv_liveness_rule_t *rule, const char *code)
{
    const idv_method_outcome_t *outcome = decide(findings, rule);

    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_string_equal(outcome->last_error->code, code);
    assert_true(score_of(outcome) == 0);
}

static void each_prompt_has_to_be_followed(void **state)
{
    const idv_liveness_rule_t rule = {.challenge = &challenge};

    (void)state;
    for (int step = 1; step <= IDV_LIVENESS_STEPS; step++) {
        idv_face_findings_t findings = obedient();

        for (int frame = 1; frame <= IDV_LIVENESS_FRAMES; frame++) {
            idv_face_frame_t *seen =
                &findings.frames[idv_liveness_part_of(step, frame)];

            /* The other way; where nothing was asked, one way. */
            seen->yaw = step == 1 ? -21 : step == 3 ? 12 : -3;
            seen->pitch = step == 2 ? -9 : step == 4 ? 19 : 5;
        }
        fails_with(&findings, &rule, "challenge_failed");
    }
}

static void who_was_there_has_to_stay(void **state)
{
    const idv_liveness_rule_t rule = {.challenge = &challenge};
    idv_face_findings_t findings = obedient();

    (void)state;
    findings.frames[6].to_still = findings.frames[6].to_former = 0.2;
    fails_with(&findings, &rule, "person_changed");
    findings = obedient();
    findings.frames[6].to_still = 0.2; /* and like the picture before it */
    fails_with(&findings, &rule, "person_changed");
    findings = obedient();
    for (int i = 1; i <= 2; i++)
        findings.frames[i].faces = 0;
    assert_int_equal(decide(&findings, &rule)->verdict, IDV_METHOD_PASSED);
    findings.frames[5].faces = 2;
    fails_with(&findings, &rule, "face_lost");
}

static void pictures_have_to_be_new_and_timely(void **state)
{
    idv_liveness_challenge_t fast = challenge;
    idv_liveness_rule_t rule = {.challenge = &challenge, .frames_repeated = 1};
    idv_face_findings_t findings = obedient();

    (void)state;
    fails_with(&findings, &rule, "replayed_frames");
    /* Also where nothing can be seen on them. */
    findings.frames[IDV_LIVENESS_STILL].faces = 0;
    fails_with(&findings, &rule, "replayed_frames");
    findings = obedient();
    fast.arrived[2] = fast.told[2] + IDV_LIVENESS_STEP_LEAST - 1;
    rule = (idv_liveness_rule_t){.challenge = &fast};
    fails_with(&findings, &rule, "challenge_failed");
}

static void what_cannot_be_judged_is_asked_again(void **state)
{
    const idv_liveness_rule_t rule = {.challenge = &challenge};
    idv_face_findings_t findings = obedient();
    idv_face_frame_t *still = &findings.frames[IDV_LIVENESS_STILL];

    (void)state;
    still->brightness = 30;
    assert_string_equal(decide(&findings, &rule)->hint, "poor_light");
    still->brightness = 130;
    still->eye_distance = 44;
    assert_string_equal(decide(&findings, &rule)->hint, "come_closer");
    still->faces = 0;
    assert_string_equal(decide(&findings, &rule)->hint, "no_face");
    assert_int_equal(decide(&findings, &rule)->verdict, IDV_METHOD_UNREADABLE);
}

static void without_movements_nothing_passes_by_itself(void **state)
{
    idv_liveness_challenge_t still = challenge;
    const idv_liveness_rule_t rule = {.challenge = &still, .assisted = 1};
    idv_face_findings_t findings = obedient();
    const idv_method_outcome_t *outcome;

    (void)state;
    for (int i = 0; i < IDV_LIVENESS_STEPS; i++)
        still.prompts[i] = IDV_LIVENESS_NEUTRAL;
    for (int i = 1; i < IDV_LIVENESS_PARTS; i++) {
        findings.frames[i].yaw = -3;
        findings.frames[i].pitch = 5;
    }
    outcome = decide(&findings, &rule);
    assert_int_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
    assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_UNDETERMINED);
    findings.frames[3].to_still = findings.frames[3].to_former = 0;
    fails_with(&findings, &rule, "person_changed");
}

/* --- matches --- */

static void match_is(const idv_face_findings_t *findings,
                     idv_method_verdict_t verdict, const char *reason)
{
    idv_method_outcome_t *outcome;

    assert_null(idv_face_match_decide(findings, IDV_ASSURANCE_CONSISTENT,
                                      &outcome, pool));
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_NONE);
    assert_int_equal(outcome->verdict, verdict);
    assert_int_equal(outcome->check_count, 1);
    if (reason)
        assert_string_equal(outcome->checks[0].reason, reason);
    else
        assert_null(outcome->checks[0].reason);
    assert_int_equal(json_is_true(json_object_get(outcome->verification_result,
                                                  "face_match_passed")),
                     verdict == IDV_METHOD_PASSED);
}

static void a_provider_has_the_last_word(void **state)
{
    static const struct {
        idv_check_result_t result;
        const char *fault;
        idv_method_verdict_t verdict;
        const char *reason;
    } cases[] = {
        {IDV_CHECK_PASSED, NULL, IDV_METHOD_PASSED, NULL},
        {IDV_CHECK_FAILED, NULL, IDV_METHOD_FAILED, "provider_declined"},
        {IDV_CHECK_UNDETERMINED, NULL, IDV_METHOD_UNDETERMINED,
         "provider_undetermined"},
        {IDV_CHECK_UNDETERMINED, "timeout", IDV_METHOD_UNDETERMINED,
         "provider_unavailable"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const idv_provider_answer_t answer = {.result = cases[i].result,
                                              .fault = cases[i].fault,
                                              .score = 0.9,
                                              .name = "N",
                                              .version = "1"};
        const idv_liveness_rule_t rule = {.challenge = &challenge,
                                          .provider = &answer};
        idv_face_findings_t findings = obedient();
        const idv_method_outcome_t *outcome = decide(&findings, &rule);
        const idv_method_check_t *last =
            &outcome->checks[outcome->check_count - 1];
        const char *assurance = json_string_value(json_object_get(
            json_object_get(outcome->verification_result, "liveness"),
            "assurance"));

        assert_int_equal(outcome->verdict, cases[i].verdict);
        assert_string_equal(last->name, "liveness_provider");
        if (cases[i].reason)
            assert_string_equal(last->reason, cases[i].reason);
        assert_int_equal(outcome->basis_count, cases[i].fault == NULL);
        assert_string_equal(assurance, i == 0 ? "provider" : "basic");
        /* What fails here is not the provider's any more. */
        findings.frames[IDV_LIVENESS_PARTS - 1].yaw += 40;
        findings.frames[IDV_LIVENESS_PARTS - 2].yaw += 40;
        findings.frames[IDV_LIVENESS_PARTS - 1].pitch += 40;
        findings.frames[IDV_LIVENESS_PARTS - 2].pitch += 40;
        outcome = decide(&findings, &rule);
        assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
        assert_string_equal(outcome->last_error->code, "challenge_failed");
    }
}

static void both_networks_have_to_agree(void **state)
{
    idv_face_findings_t findings = obedient();

    (void)state;
    match_is(&findings, IDV_METHOD_PASSED, NULL);
    findings.reference.second = 0.89;
    match_is(&findings, IDV_METHOD_UNDETERMINED, "models_disagree");
    findings.reference.first = 0.44;
    match_is(&findings, IDV_METHOD_FAILED, "face_mismatch");
    findings.reference.second = 0.95;
    match_is(&findings, IDV_METHOD_UNDETERMINED, "models_disagree");
}

/* Who is matched with what an issuer has signed is there; in doubt nobody is. */
static void a_signed_portrait_raises_the_assurance(void **state)
{
    idv_face_findings_t findings = obedient();
    idv_method_outcome_t *outcome;
    const json_t *summary;

    (void)state;
    findings.reference.source = IDV_PORTRAIT_SOURCE_CHIP;
    assert_null(idv_face_match_decide(&findings, IDV_ASSURANCE_SIGNED, &outcome,
                                      pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_SIGNED_AND_PRESENT);
    summary = outcome->verification_result;
    assert_string_equal(
        json_string_value(json_object_get(summary, "assurance")),
        "signed_and_present");
    assert_true(json_number_value(json_object_get(summary, "confidence")) == 1);
    findings.reference.second = 0.89;
    assert_null(idv_face_match_decide(&findings, IDV_ASSURANCE_SIGNED, &outcome,
                                      pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_NONE);
    assert_null(json_object_get(outcome->verification_result, "assurance"));
}

static void without_a_portrait_nothing_is_decided(void **state)
{
    idv_face_findings_t findings = obedient();

    (void)state;
    findings.reference.eye_distance = 44;
    match_is(&findings, IDV_METHOD_UNDETERMINED, "portrait_too_small");
    findings.reference.faces = 0;
    match_is(&findings, IDV_METHOD_UNDETERMINED, "portrait_missing");
    findings = obedient();
    findings.reference.source = IDV_PORTRAIT_SOURCE_NONE;
    match_is(&findings, IDV_METHOD_UNDETERMINED, "portrait_missing");
}

/* --- findings --- */

static void findings_survive_the_way(void **state)
{
    idv_face_findings_t findings = obedient(), *read;
    idv_bytes_t text;

    (void)state;
    findings.frames[4].faces = 0;
    findings.frames[4] = (idv_face_frame_t){
        .to_still = IDV_FACE_NOT_COMPARED, .to_former = IDV_FACE_NOT_COMPARED};
    assert_null(idv_face_findings_write(&findings, &text, pool));
    assert_null(idv_face_findings_read(text, &read, pool));
    assert_int_equal(read->frame_count, IDV_LIVENESS_PARTS);
    assert_int_equal(read->frames[4].faces, 0);
    assert_true(read->frames[3].yaw > 14.9 && read->frames[3].yaw < 15.1);
    assert_true(read->frames[1].to_still == 0.8);
    assert_true(read->frames[4].to_still == IDV_FACE_NOT_COMPARED);
    assert_int_equal(read->reference.source, IDV_PORTRAIT_SOURCE_DOCUMENT);
    assert_true(read->reference.second == 0.95);
}

/* Each is what the writer says, with one thing changed. */
static void what_nobody_wrote_is_refused(void **state)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"\"part\":\"still\"", "\"part\":\"step_1_1\""},
        {"\"faces\":1", "\"faces\":9"},
        {"\"faces\":1", "\"faces\":0"},
        {"\"yaw\":-30", "\"yaw\":-1801"},
        {"\"yaw\":-30", "\"yaw\":1.5"},
        {"\"brightness\":130", "\"brightness\":256"},
        {"\"to_still\":800", "\"to_still\":1001"},
        {"\"front\"", "\"still\""},
        {"\"second\":950", "\"second\":null"},
        {"\"milliseconds\":0", "\"milliseconds\":-1"},
        {"\"milliseconds\":0", "\"milliseconds\":0,\"more\":1"},
    };
    idv_face_findings_t findings = obedient(), *read;
    idv_bytes_t text;

    (void)state;
    assert_null(idv_face_findings_write(&findings, &text, pool));
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        const char *whole = (const char *)text.data;
        const char *at = strstr(whole, changes[i].from);
        const char *changed;

        assert_non_null(at);
        changed = apr_pstrcat(pool, apr_pstrmemdup(pool, whole,
                                                   (apr_size_t)(at - whole)),
                              changes[i].to, at + strlen(changes[i].from),
                              NULL);
        assert_non_null(idv_face_findings_read(
            (idv_bytes_t){(const unsigned char *)changed, strlen(changed)},
            &read, pool));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sequence_has_no_repetition),
        cmocka_unit_test(parts_have_names_of_their_own),
        cmocka_unit_test(who_follows_is_live),
        cmocka_unit_test(each_prompt_has_to_be_followed),
        cmocka_unit_test(who_was_there_has_to_stay),
        cmocka_unit_test(pictures_have_to_be_new_and_timely),
        cmocka_unit_test(what_cannot_be_judged_is_asked_again),
        cmocka_unit_test(without_movements_nothing_passes_by_itself),
        cmocka_unit_test(a_provider_has_the_last_word),
        cmocka_unit_test(both_networks_have_to_agree),
        cmocka_unit_test(a_signed_portrait_raises_the_assurance),
        cmocka_unit_test(without_a_portrait_nothing_is_decided),
        cmocka_unit_test(findings_survive_the_way),
        cmocka_unit_test(what_nobody_wrote_is_refused),
    };

    apr_initialize();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
