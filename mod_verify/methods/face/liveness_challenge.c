/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/face/liveness_challenge.h"

#include <string.h>

#include "core/word_list.h"

static const char *const values[IDV_LIVENESS_PROMPT_COUNT] = {
#define X(name, value) [IDV_LIVENESS_##name] = value,
    IDV_LIVENESS_PROMPTS(X)
#undef X
};

static const char *const parts[IDV_LIVENESS_PARTS] = {
    "still",    "step_1_1", "step_1_2", "step_1_3", "step_1_4", "step_2_1",
    "step_2_2", "step_2_3", "step_2_4", "step_3_1", "step_3_2", "step_3_3",
    "step_3_4", "step_4_1", "step_4_2", "step_4_3", "step_4_4",
};

const char *idv_liveness_prompt_value(idv_liveness_prompt_t prompt)
{
    return values[prompt];
}

void idv_liveness_prompts_of(apr_uint32_t number,
                             idv_liveness_prompt_t prompts[IDV_LIVENESS_STEPS])
{
    apr_uint32_t others = IDV_LIVENESS_PROMPT_COUNT - 1;

    prompts[0] = (idv_liveness_prompt_t)(number % IDV_LIVENESS_PROMPT_COUNT);
    number /= IDV_LIVENESS_PROMPT_COUNT;
    for (int i = 1; i < IDV_LIVENESS_STEPS; i++) {
        /* One of the four others: numbers from the previous one on move up by
         * one. */
        apr_uint32_t prompt = number % others;

        if (prompt >= (apr_uint32_t)prompts[i - 1])
            prompt++;
        prompts[i] = (idv_liveness_prompt_t)prompt;
        number /= others;
    }
}

int idv_liveness_steps_done(const idv_liveness_challenge_t *challenge)
{
    int done = 0;

    while (done < IDV_LIVENESS_STEPS && challenge->arrived[done])
        done++;
    return done;
}

const char *idv_liveness_part_name(int index)
{
    return parts[index];
}

int idv_liveness_part_index(const char *name)
{
    return idv_word_find(parts, IDV_LIVENESS_PARTS, name);
}
