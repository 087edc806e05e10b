/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/face/face_decision.h"

#include <math.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"

/* Least rotation of the head from its position in the still, in degrees. The
 * mesh underestimates large angles, so the same low limits apply to
 * everybody. */
#define TURN_LEAST 10.0
#define NOD_LEAST 7.0
#define NEUTRAL_MOST 8.0

/* Cosines of the first network. Two pictures of one person taken in succession
 * are far above the first; a face turned away from the still is above the
 * second. */
#define SAME_LEAST 0.45
#define STILL_LEAST 0.25
#define SAME_FULL 0.70 /* the full score from here on */

/* The most pictures of a challenge that may show no face, or two. */
#define UNSEEN_MOST 2

/* Mean brightness of a face. */
#define DARK_BELOW 45.0
#define LIGHT_FROM 90.0

/* The least distance of the eyes in pixels for reliable networks. */
#define EYES_LEAST 45.0

enum {
#define X(name, code, message) ERROR_##name,
    IDV_FACE_ERRORS(X)
#undef X
};

enum {
#define X(name, code) CHECK_##name,
    IDV_FACE_CHECKS(X)
#undef X
};
enum {
#define X(name, code, check, error) REASON_##name,
    IDV_FACE_REASONS(X)
#undef X
        LIVENESS_CHECKS = REASON_FACE_MISMATCH /* reasons of these come first */
};

static const idv_method_error_t errors[] = {
#define X(name, code, message) {code, message, "verification_declined"},
    IDV_FACE_ERRORS(X)
#undef X
};

static const char *const checks_made[] = {
#define X(name, code) [CHECK_##name] = code,
    IDV_FACE_CHECKS(X)
#undef X
};

static const struct {
    const char *code;
    int check, error;
} reasons[] = {
#define X(name, code, check, error)                                            \
    [REASON_##name] = {code, CHECK_##check, ERROR_##error},
    IDV_FACE_REASONS(X)
#undef X
};

static const char *const hints[] = {
#define X(name, code) [IDV_FACE_HINT_##name] = code,
    IDV_FACE_HINTS(X)
#undef X
};

const char *idv_face_hint_code(idv_face_hint_t hint)
{
    return hints[hint];
}

static idv_method_outcome_t *make_outcome(apr_pool_t *result)
{
    idv_method_outcome_t *outcome = apr_pcalloc(result, sizeof(*outcome));

    outcome->facts.age = -1;
    return outcome;
}

/* The check that REASON belongs to, with its result. */
static idv_method_check_t make_check(int reason, idv_check_result_t became)
{
    return (idv_method_check_t){
        .name = checks_made[reasons[reason].check],
        .result = became,
        .reason = became == IDV_CHECK_PASSED ? NULL : reasons[reason].code,
    };
}

static void ask_again(idv_method_outcome_t *outcome, idv_face_hint_t hint)
{
    outcome->verdict = IDV_METHOD_UNREADABLE;
    outcome->hint = hints[hint];
}

/* Maps VALUE to zero to one, as it rises from NONE to FULL. */
static double share(double value, double none, double full)
{
    return fmax(0, fmin(1, (value - none) / (full - none)));
}

/* --- faults of the still --- */

/* Non-zero if the still cannot be judged; then asks for another one. */
static int is_unusable(const idv_face_findings_t *findings,
                       idv_method_outcome_t *outcome)
{
    const idv_face_frame_t *still = &findings->frames[IDV_LIVENESS_STILL];

    if (findings->frame_count == 0 || still->faces == 0)
        ask_again(outcome, IDV_FACE_HINT_NO_FACE);
    else if (still->brightness < DARK_BELOW)
        ask_again(outcome, IDV_FACE_HINT_POOR_LIGHT);
    else if (still->eye_distance < EYES_LEAST)
        ask_again(outcome, IDV_FACE_HINT_COME_CLOSER);
    else
        return 0;
    return 1;
}

/* --- liveness --- */

/* How far the head in FRAME has moved as PROMPT demands, as a share of the
 * least rotation; for straight ahead, how far it has stayed in place. 1 or more
 * is enough. */
static double reach(idv_liveness_prompt_t prompt, const idv_face_frame_t *still,
                    const idv_face_frame_t *frame)
{
    double turned = frame->yaw - still->yaw;
    double nodded = frame->pitch - still->pitch;

    switch (prompt) {
    case IDV_LIVENESS_LEFT: /* the camera sees the person's left on its right */
        return turned / TURN_LEAST;
    case IDV_LIVENESS_RIGHT:
        return -turned / TURN_LEAST;
    case IDV_LIVENESS_UP:
        return nodded / NOD_LEAST;
    case IDV_LIVENESS_DOWN:
        return -nodded / NOD_LEAST;
    default:
        return 2 - fmax(fabs(turned), fabs(nodded)) / NEUTRAL_MOST;
    }
}

/* How well the step STEP, from 1, was followed: the better of its last two
 * pictures, which are taken once the head is still. */
static double follow(const idv_face_findings_t *findings,
                     idv_liveness_prompt_t prompt, int step)
{
    double best = -2;

    for (int frame = IDV_LIVENESS_FRAMES - 1; frame <= IDV_LIVENESS_FRAMES;
         frame++) {
        const idv_face_frame_t *seen =
            &findings->frames[idv_liveness_part_of(step, frame)];

        if (seen->faces > 0)
            best =
                fmax(best, reach(prompt, &findings->frames[IDV_LIVENESS_STILL],
                                 seen));
    }
    return best;
}

static double score_challenge(const idv_face_findings_t *findings,
                              const idv_liveness_challenge_t *challenge)
{
    double least = 2;

    for (int i = 0; i < IDV_LIVENESS_STEPS; i++)
        least = fmin(least, follow(findings, challenge->prompts[i], i + 1));
    return fmax(0, fmin(1, least / 2));
}

/* The lowest similarity of the pictures. Each is compared with the still and
 * with the previous picture, and the better result counts, since a head turned
 * away from the still resembles the previous picture. */
static double least_alike(const idv_face_findings_t *findings, double *to_still)
{
    double least = 1;

    *to_still = 1;
    for (int i = 1; i < findings->frame_count; i++) {
        const idv_face_frame_t *frame = &findings->frames[i];

        if (frame->faces == 0)
            continue;
        least = fmin(least, fmax(frame->to_still, frame->to_former));
        *to_still = fmin(*to_still, frame->to_still);
    }
    return least;
}

static int count_unseen(const idv_face_findings_t *findings)
{
    int unseen = 0;

    for (int i = 0; i < findings->frame_count; i++)
        unseen += findings->frames[i].faces != 1;
    return unseen;
}

/* Pictures that arrive before a head could turn were made before the prompt. */
static int is_timely(const idv_liveness_challenge_t *challenge)
{
    for (int i = 0; i < IDV_LIVENESS_STEPS; i++) {
        idv_time_t took = challenge->arrived[i] - challenge->told[i];

        if (!challenge->told[i] || took < IDV_LIVENESS_STEP_LEAST
            || took > IDV_LIVENESS_STEP_MOST)
            return 0;
    }
    return 1;
}

/* Lists the results of a challenge's checks in the order of their reasons; the
 * first failure is the error. */
static void conclude(const int passed[LIVENESS_CHECKS],
                     idv_method_outcome_t *outcome, apr_pool_t *result)
{
    idv_method_check_t *checks =
        apr_pcalloc(result, LIVENESS_CHECKS * sizeof(*checks));

    outcome->verdict = IDV_METHOD_PASSED;
    for (int i = 0; i < LIVENESS_CHECKS; i++) {
        checks[i] =
            make_check(i, passed[i] ? IDV_CHECK_PASSED : IDV_CHECK_FAILED);
        if (passed[i] || outcome->last_error)
            continue;
        outcome->verdict = IDV_METHOD_FAILED;
        outcome->last_error = &errors[reasons[i].error];
    }
    outcome->checks = checks;
    outcome->check_count = LIVENESS_CHECKS;
}

static double rounded(double score)
{
    return floor(score * 1000) / 1000;
}

/* The provider's statements in its signed answer; NULL if it did not confirm
 * the challenge. */
static json_t *describe_provider(const idv_provider_answer_t *answer,
                                 int passed)
{
    if (!answer || !passed)
        return NULL;
    return json_pack("{s:s, s:s, s:o?, s:O?}", "name", answer->name, "version",
                     answer->version, "score",
                     answer->score >= 0 ? json_real(answer->score) : NULL,
                     "evaluation", answer->evaluation);
}

static idv_error_t *summarize_liveness(const idv_liveness_scores_t *scores,
                                       const idv_provider_answer_t *answer,
                                       idv_method_outcome_t *outcome,
                                       apr_pool_t *result)
{
    double least = fmin(fmin(fmin(scores->challenge, scores->continuity),
                             fmin(scores->presence, scores->light)),
                        scores->timing);
    int passed = outcome->verdict == IDV_METHOD_PASSED;
    json_t *provider = describe_provider(answer, passed);
    json_t *summary;

    summary = json_pack(
        "{s:f, s:{s:s, s:o*, s:b, s:f, s:f, s:f, s:f, s:f}}", "liveness_score",
        passed ? rounded(least) : 0.0, "liveness", "assurance",
        provider ? "provider" : "basic", "provider", provider,
        "passed", passed, "challenge", rounded(scores->challenge), "continuity",
        rounded(scores->continuity), "presence", rounded(scores->presence),
        "light", rounded(scores->light), "timing", rounded(scores->timing));

    if (!summary)
        return idv_error_internal(result, "no memory for a decision");
    outcome->verification_result = idv_json_own(summary, result);
    return NULL;
}

/* Records the provider as the basis of the decision. */
static void note_provider(const idv_provider_answer_t *answer,
                          idv_method_outcome_t *outcome, apr_pool_t *result)
{
    idv_method_basis_t *basis = apr_palloc(result, sizeof(*basis));

    *basis = (idv_method_basis_t){"liveness_provider",
                                  apr_pstrdup(result, answer->name),
                                  apr_pstrdup(result, answer->version)};
    outcome->basis = basis;
    outcome->basis_count = 1;
}

/* Adds the provider's check to those of a challenge that passed. */
static void heed_provider(const idv_provider_answer_t *answer,
                          idv_method_outcome_t *outcome, apr_pool_t *result)
{
    int count = outcome->check_count, reason = REASON_PROVIDER_DECLINED;
    idv_method_check_t *checks =
        apr_palloc(result, (apr_size_t)(count + 1) * sizeof(*checks));

    memcpy(checks, outcome->checks, (size_t)count * sizeof(*checks));
    if (answer->fault)
        reason = REASON_PROVIDER_UNAVAILABLE;
    else if (answer->result == IDV_CHECK_UNDETERMINED)
        reason = REASON_PROVIDER_UNDETERMINED;
    checks[count] = make_check(reason, answer->result);
    outcome->checks = checks;
    outcome->check_count = count + 1;
    if (!answer->fault)
        note_provider(answer, outcome, result);
    if (answer->result == IDV_CHECK_PASSED)
        return;
    outcome->last_error = &errors[reasons[reason].error];
    outcome->verdict = IDV_METHOD_FAILED;
    if (answer->result == IDV_CHECK_UNDETERMINED) {
        outcome->verdict = IDV_METHOD_UNDETERMINED;
        outcome->doubts = 1u << IDV_DOUBT_UNDETERMINED;
    }
}

idv_error_t *idv_liveness_decide(const idv_face_findings_t *findings,
                                 const idv_liveness_rule_t *rule,
                                 idv_method_outcome_t **out, apr_pool_t *result)
{
    idv_method_outcome_t *outcome = *out = make_outcome(result);
    int unseen = count_unseen(findings), timely = is_timely(rule->challenge);
    double to_still, alike = least_alike(findings, &to_still);
    idv_liveness_scores_t scores = {
        .challenge = score_challenge(findings, rule->challenge),
        .continuity = share(alike, 0, SAME_FULL),
        .presence = 1 - (double)unseen / IDV_LIVENESS_PARTS,
        .light = share(findings->frames[IDV_LIVENESS_STILL].brightness, 0,
                       LIGHT_FROM),
        .timing = timely,
    };
    const idv_provider_answer_t *answer =
        rule->assisted ? NULL : rule->provider;
    const int passed[LIVENESS_CHECKS] = {
        [REASON_REPLAYED_FRAMES] = !rule->frames_repeated,
        [REASON_FACE_LOST] = unseen <= UNSEEN_MOST,
        [REASON_PERSON_CHANGED] =
            alike >= SAME_LEAST && to_still >= STILL_LEAST,
        [REASON_CHALLENGE_FAILED] = scores.challenge >= 0.5,
        [REASON_CHALLENGE_TOO_FAST] = timely,
    };

    if (findings->frame_count != IDV_LIVENESS_PARTS)
        return idv_error_internal(result, "findings for a different challenge");
    if (!rule->frames_repeated && is_unusable(findings, outcome))
        return NULL;
    conclude(passed, outcome, result);
    if (rule->assisted && outcome->verdict == IDV_METHOD_PASSED) {
        outcome->verdict = IDV_METHOD_UNDETERMINED;
        outcome->doubts = 1u << IDV_DOUBT_UNDETERMINED;
        outcome->last_error = &errors[ERROR_LIVENESS_UNDETERMINED];
    }
    if (answer && outcome->verdict == IDV_METHOD_PASSED)
        heed_provider(answer, outcome, result);
    return summarize_liveness(&scores, answer, outcome, result);
}

idv_error_t *idv_liveness_refuse(idv_method_outcome_t **out, apr_pool_t *result)
{
    idv_method_outcome_t *outcome = *out = make_outcome(result);
    idv_method_check_t *check = apr_pcalloc(result, sizeof(*check));

    *check = make_check(REASON_CHALLENGE_FAILED, IDV_CHECK_FAILED);
    outcome->checks = check;
    outcome->check_count = 1;
    outcome->verdict = IDV_METHOD_FAILED;
    outcome->last_error = &errors[ERROR_CHALLENGE_FAILED];
    return NULL;
}

/* --- the match --- */

/* The outcome of a match: passed (REASON -1), or failed or undetermined for
 * REASON. */
static idv_error_t *conclude_match(const idv_face_reference_t *reference,
                                   int reason, idv_method_outcome_t *outcome,
                                   apr_pool_t *result)
{
    idv_method_check_t *check = apr_pcalloc(result, sizeof(*check));
    json_t *summary = json_pack("{s:b, s:s?}", "face_match_passed", reason < 0,
                                "portrait_source",
                                idv_portrait_source_value(reference->source));

    if (!summary)
        return idv_error_internal(result, "no memory for a decision");
    outcome->verification_result = idv_json_own(summary, result);
    outcome->checks = check;
    outcome->check_count = 1;
    if (reason < 0) {
        outcome->verdict = IDV_METHOD_PASSED;
        *check = make_check(REASON_FACE_MISMATCH, IDV_CHECK_PASSED);
    } else if (reason == REASON_FACE_MISMATCH) {
        outcome->verdict = IDV_METHOD_FAILED;
        *check = make_check(reason, IDV_CHECK_FAILED);
    } else {
        outcome->verdict = IDV_METHOD_UNDETERMINED;
        outcome->doubts = 1u << IDV_DOUBT_UNDETERMINED;
        *check = make_check(reason, IDV_CHECK_UNDETERMINED);
    }
    if (reason >= 0)
        outcome->last_error = &errors[reasons[reason].error];
    return NULL;
}

/* A forger needs the issuer's key, and a thief the holder's face. */
static idv_error_t *raise_assurance(idv_assurance_t evidence,
                                    idv_method_outcome_t *outcome,
                                    apr_pool_t *result)
{
    idv_assurance_t raised = IDV_ASSURANCE_SIGNED_AND_PRESENT;
    json_t *worth;

    if (outcome->verdict != IDV_METHOD_PASSED || evidence < IDV_ASSURANCE_SIGNED)
        return NULL;
    worth = json_pack("{s:s, s:f}", "assurance", idv_assurance_value(raised),
                      "confidence", idv_assurance_confidence(raised, 1));
    if (!worth || json_object_update(outcome->verification_result,
                                     idv_json_own(worth, result)))
        return idv_error_internal(result, "no memory for a decision");
    outcome->assurance = raised;
    return NULL;
}

idv_error_t *idv_face_match_decide(const idv_face_findings_t *findings,
                                   idv_assurance_t evidence,
                                   idv_method_outcome_t **out,
                                   apr_pool_t *result)
{
    const idv_face_reference_t *reference = &findings->reference;
    int first = reference->first >= IDV_FACE_FIRST_SAME;
    int second = reference->second >= IDV_FACE_SECOND_SAME;
    idv_method_outcome_t *outcome = *out = make_outcome(result);
    int reason = REASON_FACE_MISMATCH;

    if (is_unusable(findings, outcome))
        return NULL;
    if (reference->source == IDV_PORTRAIT_SOURCE_NONE || reference->faces == 0)
        reason = REASON_PORTRAIT_MISSING;
    else if (reference->eye_distance < EYES_LEAST
             || reference->first <= IDV_FACE_NOT_COMPARED)
        reason = REASON_PORTRAIT_TOO_SMALL;
    else if (first && second)
        reason = -1;
    else if (first || second)
        reason = REASON_MODELS_DISAGREE;
    IDV_TRY(conclude_match(reference, reason, outcome, result));
    return raise_assurance(evidence, outcome, result);
}
