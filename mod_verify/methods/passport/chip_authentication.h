/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CHIP_AUTHENTICATION_H
#define IDV_METHODS_PASSPORT_CHIP_AUTHENTICATION_H

/*
 * Chip authentication (ICAO Doc 9303-11, 6.2) by relay: the server proves
 * through an untrusted app that the chip holds the private key of DG14.
 *
 * The server makes an ephemeral key in the chip's domain, and the commands by
 * which the chip agrees with it on keys that only the two know: MSE:Set AT and
 * GENERAL AUTHENTICATE with AES, MSE:Set KAT with 3DES. Then it requests the
 * beginning of DG14 with a command protected by the new keys. A response with
 * the right MAC proves the chip, whatever its status.
 *
 * The state machine stores nothing: each step is computed from DG14, a
 * random seed and the answers so far. The caller keeps
 * - the seed: 32 random bytes per session, made before the first step, secret
 *   (sealed in storage) and used for no other session;
 * - the answers, in order; the app answers each step that waits with the
 *   responses to its commands, up to the first that failed.
 *
 * The methods in DG14 are tried, the strongest first, until the chip answers
 * one; each takes one round trip, because no command depends on an answer. The
 * app sends the commands in its channel (PACE or BAC), and those marked as
 * protected unchanged; it reads nothing after them.
 *
 * The proof is meaningful only if DG14 is the issuer's, which passive
 * authentication checks. A refusal, or an app's claim of one, proves and
 * disproves nothing.
 *
 * Memory: commands and scratch live in the pool; keys are wiped before a
 * function returns. Failures of OpenSSL for lack of memory end the process.
 * Threads: pure, except that OpenSSL's random generator blinds the
 * computations.
 */
#include "methods/passport/data_groups.h"

#define IDV_CHIP_RELAY_SEED_SIZE 32
/* Limits: commands per step, answers per session, bytes per response. */
#define IDV_CHIP_RELAY_COMMANDS_MAX 6
#define IDV_CHIP_RELAY_ANSWERS_MAX IDV_CHIP_KEYS_MAX
#define IDV_CHIP_RELAY_RESPONSE_MAX 1024

typedef struct {
    idv_bytes_t apdu;
    int is_protected; /* flag: send unchanged, outside the app's channel */
} idv_chip_command_t;

/* The app's answer to one step: responses with their status words, one per sent
 * command. */
typedef struct {
    idv_bytes_t responses[IDV_CHIP_RELAY_COMMANDS_MAX];
    int count;
} idv_chip_answer_t;

typedef struct {
    idv_bytes_t dg14; /* the file */
    const unsigned char *seed;
    const idv_chip_answer_t *answers; /* in the order of the steps */
    int answer_count;
} idv_chip_relay_t;

typedef enum {
    IDV_CHIP_RELAY_WAITS,       /* for responses to the commands */
    IDV_CHIP_RELAY_PROVEN,      /* the chip has the key of DG14 */
    IDV_CHIP_RELAY_DISPROVEN,   /* it answered with wrong keys */
    IDV_CHIP_RELAY_OTHER_DATA,  /* it has the key, but another DG14 */
    IDV_CHIP_RELAY_REFUSED,     /* it answered none of the methods */
    IDV_CHIP_RELAY_UNSUPPORTED  /* DG14 names no supported method */
} idv_chip_relay_status_t;

typedef struct {
    idv_chip_relay_status_t status;
    idv_chip_command_t commands[IDV_CHIP_RELAY_COMMANDS_MAX]; /* for WAITS */
    int command_count;
} idv_chip_relay_step_t;

/* The next step of RELAY. `parameter_invalid` if DG14 is malformed, or an
 * answer is out of bounds or comes after the end. */
idv_error_t *idv_chip_relay_step(const idv_chip_relay_t *relay,
                                 idv_chip_relay_step_t *step,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
