/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_CHIP_RECORD_H
#define IDV_STORE_METHOD_CHIP_RECORD_H

/*
 * What a session keeps while the chip of a passport is read by an app: parts of
 * its evidence (store/method/evidence.h), sealed and purged with it.
 *
 * - The challenge: eight random bytes for active authentication. It is open for
 *   five minutes; the dump that comes then has it, and no other dump. A new
 *   challenge ends the one before.
 * - The dump (methods/passport/chip_dump.h), as it came.
 * - The relay of chip authentication (methods/passport/chip_relay.h), which a
 *   new dump begins anew, and the last step that was computed for it.
 * - The printed zone of the same session, as document_capture read it.
 *
 * The steps are computed by verify-analyze, because DG14 is a stranger's: a
 * question is an analysis job without a submission, whose answer is found here.
 *
 * Threads: as in store/db/db.h; whoever changes something holds the session's
 * lock. Memory: everything lives in the given pool and is wiped with it.
 * Failures: those of store/method/evidence.h.
 */
#include "core/keyring.h"
#include "methods/document/document_findings.h"
#include "methods/passport/chip_relay.h"
#include "store/method/evidence.h"

#define IDV_CHIP_CHALLENGE_TIME (5 * IDV_MINUTE)

/* The names of the parts. */
#define IDV_CHIP_PART_DUMP "chip"
#define IDV_CHIP_PART_CHALLENGE "challenge"
#define IDV_CHIP_PART_RELAY "relay"
#define IDV_CHIP_PART_STEP "relay_step"
#define IDV_CHIP_PART_ZONE "printed_zone"

/* Whose chip, and with what it is sealed. */
typedef struct {
    const idv_keyring_t *keyring;
    const idv_session_t *session;
    idv_time_t now;
} idv_chip_place_t;

/* A new challenge of IDV_CHIP_CHALLENGE_SIZE bytes. */
idv_error_t *idv_chip_challenge_make(idv_db_t *db,
                                     const idv_chip_place_t *place,
                                     idv_bytes_t *challenge,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Keeps a dump. *HAS_CHALLENGE says whether the open challenge became its own.
 */
idv_error_t *idv_chip_dump_put(idv_db_t *db, const idv_chip_place_t *place,
                               idv_bytes_t dump, int *has_challenge,
                               apr_pool_t *pool) IDV_CHECKED;

/* The challenge that the dump has; length 0: none. */
idv_error_t *idv_chip_challenge_of_dump(idv_db_t *db,
                                        const idv_chip_place_t *place,
                                        idv_bytes_t *challenge,
                                        apr_pool_t *pool) IDV_CHECKED;

/* The relay of the dump; NULL: there is no dump. */
idv_error_t *idv_chip_relay_find(idv_db_t *db, const idv_chip_place_t *place,
                                 idv_chip_relay_t **relay,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Keeps RELAY and queues the question for its next step. */
idv_error_t *idv_chip_relay_ask(idv_db_t *db, const idv_chip_place_t *place,
                                const idv_chip_relay_t *relay,
                                apr_pool_t *pool) IDV_CHECKED;

/* Keeps the answer STEP, the text of one, to the question about the record
 * RELAY. */
idv_error_t *idv_chip_step_put(idv_db_t *db, const idv_chip_place_t *place,
                               idv_bytes_t relay, idv_bytes_t step,
                               apr_pool_t *pool) IDV_CHECKED;

/* The step that follows from RELAY; NULL: it has not been computed yet. */
idv_error_t *idv_chip_step_find(idv_db_t *db, const idv_chip_place_t *place,
                                const idv_chip_relay_t *relay,
                                idv_chip_relay_step_t **step,
                                apr_pool_t *pool) IDV_CHECKED;

/* --- the printed zone --- */

/* Keeps FINDINGS of document_capture when they are of a passport's zone. */
idv_error_t *idv_printed_zone_put(idv_db_t *db, const idv_chip_place_t *place,
                                  const idv_document_findings_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The passport whose zone was kept; NULL: none. */
idv_error_t *idv_printed_zone_find(idv_db_t *db, const idv_chip_place_t *place,
                                   const idv_document_t **document,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
