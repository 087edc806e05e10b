/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_FACE_DECISION_H
#define IDV_METHODS_FACE_FACE_DECISION_H

/*
 * The verdicts on pictures of a person: whether somebody was there who did as
 * the prompts said (selfie_liveness), and whether that is the person of a
 * portrait (selfie_match). Findings and what the server saw in, outcomes out.
 *
 * Liveness fails when a prompt was not followed, when the face was lost or
 * another came into the picture, when the person changed, when a picture had
 * been sent before, or when pictures came sooner than a head turns. Where it is
 * only too dark, or the face too small, the person is asked again. Its score is
 * the least of the sub-scores, each 0 to 1. It is a basic check: it stops
 * photographs and recordings held before a camera, and raises the cost of more;
 * it was measured on no attacks of others and meets no standard, and its result
 * says so (`assurance` `basic`). Where the operator has a provider, its answer is
 * one more check of a challenge that has passed the others: only what it passes is
 * passed, and the result says so (`assurance` `provider`) with what its signed
 * answer states; without an answer that counts nothing is decided.
 *
 * A match is passed when both networks agree that the faces are one person's,
 * and failed when both deny it; else it is undetermined, as it is without a
 * portrait that can be compared. What is compared is the still of a challenge
 * that passed, so that no picture of somebody stands for the person. Where the
 * portrait is one that an issuer has signed, in the evidence that the session's
 * facts are of, the match makes these facts `signed_and_present`.
 *
 * Memory: the result pool; outcomes hold scores, and nothing of a face.
 * Threads: pure.
 */
#include "domain/method/method_outcome.h"
#include "methods/face/face_findings.h"
#include "methods/face/liveness_challenge.h"
#include "methods/face/provider_answer.h"

/* What each network takes for the same person. Of the 105 pairs of different
 * persons on public pictures the first network takes none at 0.45, the second
 * a tenth at 0.90; so neither decides alone. */
#define IDV_FACE_FIRST_SAME 0.45
#define IDV_FACE_SECOND_SAME 0.90

/* `last_error` of the session: X(name, code, message for the applicant). */
#define IDV_FACE_ERRORS(X)                                                     \
    X(CHALLENGE_FAILED, "challenge_failed",                                    \
      "The movements were not the ones that were asked for.")                  \
    X(FACE_LOST, "face_lost",                                                  \
      "Your face, alone, could not be seen all the time.")                     \
    X(PERSON_CHANGED, "person_changed",                                        \
      "Not all pictures show the same person.")                                \
    X(REPLAYED_FRAMES, "replayed_frames",                                      \
      "The pictures were not taken for this verification.")                    \
    X(LIVENESS_UNDETERMINED, "liveness_undetermined",                          \
      "That somebody is in front of the camera could not be checked.")         \
    X(LIVENESS_DECLINED, "liveness_declined",                                  \
      "The check that you are in front of the camera was not passed.")         \
    X(FACE_MISMATCH, "face_mismatch",                                          \
      "Your face does not match the portrait of the document.")                \
    X(FACE_MATCH_UNDETERMINED, "face_match_undetermined",                      \
      "Your face could not be compared with the portrait of the document.")

/* What is checked: X(name, code). */
#define IDV_FACE_CHECKS(X)                                                     \
    X(FRESH_FRAMES, "fresh_frames")                                            \
    X(FACE_PRESENCE, "face_presence")                                          \
    X(SAME_PERSON, "same_person")                                              \
    X(CHALLENGE_RESPONSE, "challenge_response")                                \
    X(CHALLENGE_TIMING, "challenge_timing")                                    \
    X(FACE_MATCH, "face_match")                                                \
    X(LIVENESS_PROVIDER, "liveness_provider")

/* Why a check does not pass: X(name, code, check, error). */
#define IDV_FACE_REASONS(X)                                                    \
    X(REPLAYED_FRAMES, "replayed_frames", FRESH_FRAMES, REPLAYED_FRAMES)       \
    X(FACE_LOST, "face_lost", FACE_PRESENCE, FACE_LOST)                        \
    X(PERSON_CHANGED, "person_changed", SAME_PERSON, PERSON_CHANGED)           \
    X(CHALLENGE_FAILED, "challenge_failed", CHALLENGE_RESPONSE,                \
      CHALLENGE_FAILED)                                                        \
    X(CHALLENGE_TOO_FAST, "challenge_too_fast", CHALLENGE_TIMING,              \
      CHALLENGE_FAILED)                                                        \
    X(FACE_MISMATCH, "face_mismatch", FACE_MATCH, FACE_MISMATCH)               \
    X(MODELS_DISAGREE, "models_disagree", FACE_MATCH, FACE_MATCH_UNDETERMINED) \
    X(PORTRAIT_MISSING, "portrait_missing", FACE_MATCH,                        \
      FACE_MATCH_UNDETERMINED)                                                 \
    X(PORTRAIT_TOO_SMALL, "portrait_too_small", FACE_MATCH,                    \
      FACE_MATCH_UNDETERMINED)                                                 \
    X(PROVIDER_DECLINED, "provider_declined", LIVENESS_PROVIDER,               \
      LIVENESS_DECLINED)                                                       \
    X(PROVIDER_UNDETERMINED, "provider_undetermined", LIVENESS_PROVIDER,       \
      LIVENESS_UNDETERMINED)                                                   \
    X(PROVIDER_UNAVAILABLE, "provider_unavailable", LIVENESS_PROVIDER,         \
      LIVENESS_UNDETERMINED)

/* Why the person is asked again: X(name, code). */
#define IDV_FACE_HINTS(X)                                                      \
    X(POOR_LIGHT, "poor_light")                                                \
    X(NO_FACE, "no_face")         /* none in the still */                      \
    X(COME_CLOSER, "come_closer") /* the face is too small in the still */     \
    X(ANALYSIS_FAILED, "analysis_failed")

typedef enum {
#define X(name, code) IDV_FACE_HINT_##name,
    IDV_FACE_HINTS(X)
#undef X
} idv_face_hint_t;

/* The code of a hint. Static. */
const char *idv_face_hint_code(idv_face_hint_t hint);

/* What the server knows of a challenge besides its pictures. */
typedef struct {
    const idv_liveness_challenge_t *challenge;
    int frames_repeated; /* flag: a picture of it was sent before, or twice */
    int assisted; /* flag: it asks for no movement, so a person has to decide */
    const idv_provider_answer_t *provider; /* NULL: none is asked */
} idv_liveness_rule_t;

/* 0 to 1 each. */
typedef struct {
    double challenge;  /* how far the head was turned */
    double continuity; /* how alike the faces of the pictures are */
    double presence;   /* share of the pictures with one face */
    double light;
    double timing;
} idv_liveness_scores_t;

/* The outcome of a challenge whose FINDINGS have all its frames. */
idv_error_t *idv_liveness_decide(const idv_face_findings_t *findings,
                                 const idv_liveness_rule_t *rule,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

/* The outcome for a still that no challenge was passed with. */
idv_error_t *idv_liveness_refuse(idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

/* The outcome of comparing the still with the portrait. EVIDENCE is what the
 * evidence is worth in which the portrait stands; NONE when other evidence, or
 * none, says who the person is. */
idv_error_t *idv_face_match_decide(const idv_face_findings_t *findings,
                                   idv_assurance_t evidence,
                                   idv_method_outcome_t **outcome,
                                   apr_pool_t *result) IDV_CHECKED;

#endif
