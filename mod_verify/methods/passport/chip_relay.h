/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_CHIP_RELAY_H
#define IDV_METHODS_PASSPORT_CHIP_RELAY_H

/*
 * The two texts of the relay of chip authentication (chip_authentication.h):
 * its record, which is kept sealed with the evidence of its session between two
 * requests, and a step of it, which the sandboxed reader prints and the server
 * passes to the app.
 *
 *   record  { "seed": base64url, "answers": [ [ base64url, ... ], ... ] }
 *   step    { "status": code,
 *             "commands": [ { "apdu": base64url, "protected": bool } ] }
 *
 * The record is ours but for the responses in it, which are a stranger's. The
 * step comes from a process that was given a stranger's DG14, and is held to
 * its bounds; what it tells a chip to do is the app's risk and the chip's to
 * refuse.
 *
 * Memory: the pool given, wiped with it. Threads: pure. Failures: internal
 * errors for texts that were not written here.
 */
#include "methods/passport/chip_authentication.h"

/* Bytes of the longest texts. */
#define IDV_CHIP_RELAY_RECORD_MAX 131072
#define IDV_CHIP_RELAY_STEP_MAX 32768

/* A relay at its beginning, with a seed of its own. */
idv_chip_relay_t *idv_chip_relay_create(apr_pool_t *pool);

/* The record of RELAY, without its DG14; the reverse leaves that empty. */
idv_error_t *idv_chip_relay_write(const idv_chip_relay_t *relay,
                                  idv_bytes_t *text,
                                  apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_chip_relay_read(idv_bytes_t text, idv_chip_relay_t **relay,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Adds the answer to the last step. `parameter_invalid` when there are as many
 * as there can be. */
idv_error_t *idv_chip_relay_add(idv_chip_relay_t *relay,
                                const idv_chip_answer_t *answer,
                                apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_chip_relay_step_write(const idv_chip_relay_step_t *step,
                                       idv_bytes_t *text,
                                       apr_pool_t *pool) IDV_CHECKED;
idv_error_t *idv_chip_relay_step_read(idv_bytes_t text,
                                      idv_chip_relay_step_t **step,
                                      apr_pool_t *pool) IDV_CHECKED;

/* "waits", "proven", "disproven", "other_data", "refused", "unsupported". */
const char *idv_chip_relay_status_code(idv_chip_relay_status_t status);

#endif
