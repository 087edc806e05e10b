/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_LIVENESS_CHALLENGE_H
#define IDV_METHODS_FACE_LIVENESS_CHALLENGE_H

/*
 * The active challenge: a person looks into the camera, then turns the head as
 * four prompts say. Each prompt is shown only after the pictures of the
 * previous one have arrived, so a recording made earlier cannot know them.
 *
 * There are five prompts and none follows itself, so 5 * 4 * 4 * 4 = 320
 * sequences. IDV_LIVENESS_CHALLENGES_MAX bounds how often a session may guess.
 *
 * The pictures are parts of evidence: "still", of a person looking straight
 * ahead, and four per prompt, "step_1_1" to "step_4_4", in the order in which
 * they were taken. The time between a prompt and its pictures is measured by
 * the server.
 *
 * Memory: values, and constant data. Threads: pure. Failures: none.
 */
#include "core/clock.h"

#define IDV_LIVENESS_PROMPTS(X)                                                \
    X(LEFT, "left") /* the person's own left */                                \
    X(RIGHT, "right")                                                          \
    X(UP, "up")                                                                \
    X(DOWN, "down")                                                            \
    X(NEUTRAL, "neutral") /* straight ahead */

typedef enum {
#define X(name, value) IDV_LIVENESS_##name,
    IDV_LIVENESS_PROMPTS(X)
#undef X
        IDV_LIVENESS_PROMPT_COUNT
} idv_liveness_prompt_t;

#define IDV_LIVENESS_STEPS 4
#define IDV_LIVENESS_FRAMES 4 /* per step */
#define IDV_LIVENESS_PARTS (1 + IDV_LIVENESS_STEPS * IDV_LIVENESS_FRAMES)
#define IDV_LIVENESS_STILL 0            /* index of the still among the parts */
#define IDV_LIVENESS_CHALLENGES_MAX 10  /* per session */
#define IDV_LIVENESS_FRAME_MAX 262144   /* bytes of a frame */
#define IDV_LIVENESS_STILL_MAX 1048576  /* bytes of the still */
#define IDV_LIVENESS_STILL_TEXT 1398104 /* characters of it in base64 */
/* Bytes of all pictures of a step in base64, with their JSON. */
#define IDV_LIVENESS_BODY_MAX 2800000

/* Limits from a prompt to the arrival of its pictures: no head turns faster
 * than the first; after the second the challenge is over. Pictures of 640
 * pixels take two seconds at most on the slowest networks in use. */
#define IDV_LIVENESS_STEP_LEAST (3 * IDV_SECOND / 2)
#define IDV_LIVENESS_STEP_MOST (8 * IDV_SECOND)

/* A challenge under way, or answered. Steps are counted from 1. */
typedef struct {
    const char *id;
    idv_liveness_prompt_t prompts[IDV_LIVENESS_STEPS];
    idv_time_t told[IDV_LIVENESS_STEPS];    /* 0: not yet */
    idv_time_t arrived[IDV_LIVENESS_STEPS]; /* 0: not yet */
} idv_liveness_challenge_t;

/* The value in the interface. */
const char *idv_liveness_prompt_value(idv_liveness_prompt_t prompt);

/* The prompts of NUMBER, which may be any; a random one gives each sequence
 * with the same probability, up to one in 13 million. */
void idv_liveness_prompts_of(apr_uint32_t number,
                             idv_liveness_prompt_t prompts[IDV_LIVENESS_STEPS]);

/* The number of answered steps, 0 to IDV_LIVENESS_STEPS. */
int idv_liveness_steps_done(const idv_liveness_challenge_t *challenge);

/* The name of the part INDEX, 0 (the still) to IDV_LIVENESS_PARTS - 1. Static.
 */
const char *idv_liveness_part_name(int index);

/* The index of the part named NAME; -1: none. */
int idv_liveness_part_index(const char *name);

/* The index of the frame FRAME of the step STEP, both from 1. */
static inline int idv_liveness_part_of(int step, int frame)
{
    return 1 + (step - 1) * IDV_LIVENESS_FRAMES + frame - 1;
}

#endif
