/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CHIP_RELAY_H
#define IDV_METHODS_PASSPORT_CHIP_RELAY_H

/*
 * The two texts of the relay of chip authentication (chip_authentication.h):
 * its record, stored sealed with the evidence of its session between two
 * requests, and a step, which the sandboxed reader prints and the server passes
 * to the app.
 *
 *   record  { "seed": base64url, "answers": [ [ base64url, ... ], ... ] }
 *   step    { "status": code,
 *             "commands": [ { "apdu": base64url, "protected": bool } ] }
 *
 * The record is ours except for the untrusted responses in it. The step comes
 * from a process that parsed an untrusted DG14, and is checked against its
 * bounds; its commands are at the app's risk, and the chip may refuse them.
 *
 * Memory: the given pool, wiped with it. Threads: pure. Failures: internal
 * errors for texts that were not written here.
 */
#include "methods/passport/chip_authentication.h"

/* Bytes of the longest texts. */
#define IDV_CHIP_RELAY_RECORD_MAX 131072
#define IDV_CHIP_RELAY_STEP_MAX 32768

/* A new relay with a random seed. */
idv_chip_relay_t *idv_chip_relay_create(apr_pool_t *pool);

/* The record of RELAY, without its DG14, which the reverse leaves empty. */
idv_error_t *idv_chip_relay_write(const idv_chip_relay_t *relay,
                                  idv_bytes_t *text,
                                  apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_chip_relay_read(idv_bytes_t text, idv_chip_relay_t **relay,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Adds the answer to the last step. `parameter_invalid` if the maximum is
 * reached. */
idv_error_t *idv_chip_relay_add(idv_chip_relay_t *relay,
                                const idv_chip_answer_t *answer,
                                apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_chip_relay_step_write(const idv_chip_relay_step_t *step,
                                       idv_bytes_t *text,
                                       apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_chip_relay_step_read(idv_bytes_t text,
                                      idv_chip_relay_step_t **step,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
