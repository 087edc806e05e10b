/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_FACE_DECISION_H
#define IDV_METHODS_FACE_FACE_DECISION_H

/*
 * Decides on pictures of a person: whether a live person followed the prompts
 * (selfie_liveness), and whether it is the person of a portrait (selfie_match).
 * Takes findings and the server's observations, returns outcomes.
 *
 * Liveness fails if a prompt was not followed, the face was lost or a second
 * one appeared, the person changed, a picture had been sent before, or pictures
 * came sooner than a head turns. If it is only too dark or the face too small,
 * the person is asked again. The score is the least of the sub-scores, each 0
 * to 1. It is a basic check: it stops photographs and recordings held before a
 * camera and makes other attacks more expensive. It was not measured on attacks
 * by third parties and meets no standard, and its result says so (`assurance`
 * `basic`). If the operator has a provider, its answer is one more check of a
 * challenge that passed the others: the challenge passes only if the provider
 * passes it, and the result says so (`assurance` `provider`) with the
 * statements of its signed answer. Without a valid answer nothing is decided.
 *
 * A match passes if both networks agree that the faces are one person's, fails
 * if both deny it, and is otherwise undetermined, also without a portrait that
 * can be compared. The still of a passed challenge is compared, so that a
 * picture of a person cannot replace the person. If an issuer signed the
 * portrait in the evidence of the session's facts, the match makes these facts
 * `signed_and_present`.
 *
 * Memory: the result pool; outcomes hold scores, and no data of a face.
 * Threads: pure.
 */
#include "domain/method/method_outcome.h"
#include "methods/face/face_findings.h"
#include "methods/face/liveness_challenge.h"
#include "methods/face/provider_answer.h"

/* Each network's threshold for the same person. Of the 105 pairs of different
 * persons on public pictures, none reaches 0.45 with the first network, and a
 * tenth reaches 0.90 with the second; so neither decides alone. */
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

/* The checks: X(name, code). */
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

/* Why the person is asked to repeat: X(name, code). */
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

/* The server's knowledge of a challenge, apart from its pictures. */
typedef struct {
    const idv_liveness_challenge_t *challenge;
    int frames_repeated; /* flag: a picture was sent before, or twice */
    int assisted; /* flag: requires no movement, so a person has to decide */
    const idv_provider_answer_t *provider; /* NULL: no provider */
} idv_liveness_rule_t;

/* The sub-scores, 0 to 1 each. */
typedef struct {
    double challenge;  /* how far the head was turned */
    double continuity; /* similarity of the faces in the pictures */
    double presence;   /* share of the pictures with one face */
    double light;
    double timing;
} idv_liveness_scores_t;

/* The outcome of a challenge; FINDINGS contain all its frames. */
idv_error_t *idv_liveness_decide(const idv_face_findings_t *findings,
                                 const idv_liveness_rule_t *rule,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

/* The outcome of a still without a passed challenge. */
idv_error_t *idv_liveness_refuse(idv_method_outcome_t **outcome,
                                 apr_pool_t *result) IDV_CHECKED;

/* The outcome of comparing the still with the portrait. EVIDENCE is the
 * assurance of the evidence that contains the portrait; NONE if other evidence,
 * or none, identifies the person. */
idv_error_t *idv_face_match_decide(const idv_face_findings_t *findings,
                                   idv_assurance_t evidence,
                                   idv_method_outcome_t **outcome,
                                   apr_pool_t *result) IDV_CHECKED;

#endif
