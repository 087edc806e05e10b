/* SPDX-License-Identifier: Apache-2.0 */
/* Chip authentication by relay: a DG14, behind it the responses that an app
 * says the chip gave, each with its length in one byte; and a signature of a
 * challenge with the key of the same bytes. Nobody guesses what proves a chip. */
#include "fuzz/fuzz.h"

#include "methods/passport/active_authentication.h"
#include "methods/passport/chip_authentication.h"

/* The next piece, of the length that its first byte says. */
static idv_bytes_t next_piece(const uint8_t **at, const uint8_t *end)
{
    idv_bytes_t piece = { *at, 0 };

    if (*at < end) {
        piece.length = *(*at)++;
        piece.data = *at;
        if (piece.length > (size_t)(end - *at))
            piece.length = (size_t)(end - *at);
        *at += piece.length;
    }
    return piece;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char seed[IDV_CHIP_RELAY_SEED_SIZE] = { 1 };
    apr_pool_t *pool = fuzz_pool();
    const uint8_t *at = data, *end = data + size;
    idv_chip_answer_t answers[2] = { { .count = 0 } };
    idv_chip_relay_t relay = { .seed = seed, .answers = answers };
    idv_chip_relay_step_t step;
    idv_bytes_t challenge = { seed, 8 }, none = { data, 0 };

    if (size >= 2) {
        size_t length = (size_t)data[0] << 8 | data[1];

        at = data + 2;
        if (length > (size_t)(end - at))
            length = (size_t)(end - at);
        relay.dg14 = (idv_bytes_t){ at, length };
        at += length;
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                answers[i].responses[answers[i].count++] = next_piece(&at, end);
    }
    for (int count = 0; count <= 2; count++) {
        relay.answer_count = count;
        if (idv_chip_relay_step(&relay, &step, pool))
            break;
        promise(step.status != IDV_CHIP_RELAY_PROVEN
                && step.status != IDV_CHIP_RELAY_OTHER_DATA);
        promise((step.status == IDV_CHIP_RELAY_WAITS)
                == (step.command_count > 0));
    }
    promise(idv_challenge_verify(relay.dg14, none, challenge,
                                 answers[0].responses[0], pool)
            != IDV_CHALLENGE_SIGNED);
    apr_pool_destroy(pool);
    return 0;
}
