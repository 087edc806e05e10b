/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CHIP_AUTHENTICATION_H
#define IDV_METHODS_PASSPORT_CHIP_AUTHENTICATION_H

/*
 * Chip authentication (ICAO Doc 9303-11, 6.2) by relay: the server proves over
 * an app that it cannot trust that the chip holds the private key of DG14.
 *
 * The server makes an ephemeral key of the chip's domain, and the commands by
 * which the chip agrees with it on keys that only the two of them can know: with
 * AES, MSE:Set AT and GENERAL AUTHENTICATE, with 3DES, MSE:Set KAT. Then it asks
 * for the beginning of DG14 with a command that is protected with the new keys.
 * A response with the right MAC proves the chip, whatever its status is.
 *
 * A state machine without a state of its own: what the next step is follows from
 * DG14, a random seed and the answers so far, and is computed anew at each step.
 * A caller keeps
 * - the seed: 32 random bytes of its own for each session, made before the first
 *   step, secret (sealed where it is stored) and used for no other session;
 * - the answers, in their order; each step that waits is answered by the app
 *   with the responses to its commands, up to the first that failed.
 *
 * Each way that DG14 names is tried until the chip answers one, the strongest
 * first; each is one round trip, because no command hangs on an answer. The app
 * sends the commands in the channel that it has (PACE or BAC), and those that
 * are marked as protected as they stand; it reads nothing after them.
 *
 * DG14 must be the issuer's for the proof to mean anything: that is passive
 * authentication's matter. A chip that refuses, or an app that says so, proves
 * nothing and disproves nothing.
 *
 * Memory: commands and scratch live in the pool; keys are wiped before a
 * function returns. Failures of OpenSSL for lack of memory end the process.
 * Threads: pure, but that OpenSSL's random generator blinds the computations.
 */
#include "methods/passport/data_groups.h"

#define IDV_CHIP_RELAY_SEED_SIZE 32
/* Commands of one step, answers of one session, bytes of one response. */
#define IDV_CHIP_RELAY_COMMANDS_MAX 6
#define IDV_CHIP_RELAY_ANSWERS_MAX IDV_CHIP_KEYS_MAX
#define IDV_CHIP_RELAY_RESPONSE_MAX 1024

typedef struct {
    idv_bytes_t apdu;
    int is_protected; /* to be sent as it stands, outside the app's channel */
} idv_chip_command_t;

/* What the app brought back of one step: responses with their status words, as
 * many as commands were sent. */
typedef struct {
    idv_bytes_t responses[IDV_CHIP_RELAY_COMMANDS_MAX];
    int count;
} idv_chip_answer_t;

typedef struct {
    idv_bytes_t dg14; /* the file */
    const unsigned char *seed;
    const idv_chip_answer_t *answers; /* the first step's first */
    int answer_count;
} idv_chip_relay_t;

typedef enum {
    IDV_CHIP_RELAY_WAITS,       /* for the responses to the commands */
    IDV_CHIP_RELAY_PROVEN,      /* the chip has the key of DG14 */
    IDV_CHIP_RELAY_DISPROVEN,   /* it answered with other keys */
    IDV_CHIP_RELAY_OTHER_DATA,  /* it has the key, and another DG14 */
    IDV_CHIP_RELAY_REFUSED,     /* it answered none of the ways */
    IDV_CHIP_RELAY_UNSUPPORTED  /* DG14 names no way that is known here */
} idv_chip_relay_status_t;

typedef struct {
    idv_chip_relay_status_t status;
    idv_chip_command_t commands[IDV_CHIP_RELAY_COMMANDS_MAX]; /* of WAITS */
    int command_count;
} idv_chip_relay_step_t;

/* The step that follows from RELAY. `parameter_invalid` when DG14 is malformed,
 * or an answer is out of its bounds or comes after the end. */
idv_error_t *idv_chip_relay_step(const idv_chip_relay_t *relay,
                                 idv_chip_relay_step_t *step,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
