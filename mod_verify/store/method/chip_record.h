/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_CHIP_RECORD_H
#define IDV_STORE_METHOD_CHIP_RECORD_H

/*
 * Data of a session while an app reads a passport chip: parts of its evidence
 * (store/method/evidence.h), sealed and purged with it.
 *
 * - The challenge: eight random bytes for active authentication, open for five
 *   minutes. Only the next dump in that time is bound to it. A new challenge
 *   replaces the previous one.
 * - The dump (methods/passport/chip_dump.h), as received.
 * - The relay of chip authentication (methods/passport/chip_relay.h), restarted
 *   by a new dump, and the last step computed for it.
 * - The printed zone of the same session, as read by document_capture.
 *
 * verify-analyze computes the steps, because DG14 is untrusted: a question is
 * an analysis job without a submission, and its answer is stored here.
 *
 * Threads: as in store/db/db.h; writers hold the session's lock. Memory:
 * everything lives in the given pool and is wiped with it. Failures: those of
 * store/method/evidence.h.
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

/* The session of a chip, and its keys. */
typedef struct {
    const idv_keyring_t *keyring;
    const idv_session_t *session;
    idv_time_t now;
} idv_chip_place_t;

/* Creates a challenge of IDV_CHIP_CHALLENGE_SIZE bytes. */
idv_error_t *idv_chip_challenge_make(idv_db_t *db,
                                     const idv_chip_place_t *place,
                                     idv_bytes_t *challenge,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Stores a dump. *HAS_CHALLENGE says whether it was bound to the open
 * challenge. */
idv_error_t *idv_chip_dump_put(idv_db_t *db, const idv_chip_place_t *place,
                               idv_bytes_t dump, int *has_challenge,
                               apr_pool_t *pool) IDV_CHECKED;

/* The challenge of the dump; length 0: none. */
idv_error_t *idv_chip_challenge_of_dump(idv_db_t *db,
                                        const idv_chip_place_t *place,
                                        idv_bytes_t *challenge,
                                        apr_pool_t *pool) IDV_CHECKED;

/* The relay of the dump; NULL: no dump. */
idv_error_t *idv_chip_relay_find(idv_db_t *db, const idv_chip_place_t *place,
                                 idv_chip_relay_t **relay,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Stores RELAY and queues the question for its next step. */
idv_error_t *idv_chip_relay_ask(idv_db_t *db, const idv_chip_place_t *place,
                                const idv_chip_relay_t *relay,
                                apr_pool_t *pool) IDV_CHECKED;

/* Stores the text STEP as the answer to the question about the record RELAY. */
idv_error_t *idv_chip_step_put(idv_db_t *db, const idv_chip_place_t *place,
                               idv_bytes_t relay, idv_bytes_t step,
                               apr_pool_t *pool) IDV_CHECKED;

/* The step that follows RELAY; NULL: not computed yet. */
idv_error_t *idv_chip_step_find(idv_db_t *db, const idv_chip_place_t *place,
                                const idv_chip_relay_t *relay,
                                idv_chip_relay_step_t **step,
                                apr_pool_t *pool) IDV_CHECKED;

/* --- the printed zone --- */

/* Stores FINDINGS of document_capture if they are of a passport's zone. */
idv_error_t *idv_printed_zone_put(idv_db_t *db, const idv_chip_place_t *place,
                                  const idv_document_findings_t *findings,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The passport with the stored zone; NULL: none. */
idv_error_t *idv_printed_zone_find(idv_db_t *db, const idv_chip_place_t *place,
                                   const idv_document_t **document,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
