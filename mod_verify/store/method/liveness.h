/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_LIVENESS_H
#define IDV_STORE_METHOD_LIVENESS_H

/*
 * The challenge of a session (methods/face/liveness_challenge.h), and the marks
 * by which a picture that is sent again is recognized.
 *
 * A session has one challenge, the last; beginning another forgets the former
 * and its pictures, which are parts of the session's evidence. It goes with the
 * evidence.
 *
 * Marks are HMACs under the key of document sightings, of the organization with
 * the bytes of a picture; they tell nothing of a face and are kept as long as
 * those (VerifyDocumentSightings).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include "core/keyring.h"
#include "domain/session/session.h"
#include "methods/face/liveness_challenge.h"
#include "store/db/db.h"

typedef struct {
    idv_liveness_challenge_t challenge;
    idv_time_t created;
    int assisted; /* flag: whoever asked for it cannot move so */
    int passed;   /* flag: its pictures are those of a live person */
    const char *provider; /* that the consent names; NULL: none */
} idv_liveness_record_t;

/* What a challenge begins with. */
typedef struct {
    int assisted;         /* flag: it asks for no movement */
    const char *provider; /* as in the record */
} idv_liveness_wish_t;

/* Begins a challenge of SESSION at NOW, in a transaction that has locked it. */
idv_error_t *idv_liveness_begin(idv_db_t *db, const idv_session_t *session,
                                const idv_liveness_wish_t *wish, idv_time_t now,
                                idv_liveness_record_t **record,
                                apr_pool_t *pool) IDV_CHECKED;

/* The challenge of SESSION; NULL: none was begun. */
idv_error_t *idv_liveness_find(idv_db_t *db, const idv_session_t *session,
                               idv_liveness_record_t **record,
                               apr_pool_t *pool) IDV_CHECKED;

/* Notes that the pictures of STEP, from 1, of RECORD came at NOW, also in
 * RECORD; in a transaction that has locked the session. */
idv_error_t *idv_liveness_arrive(idv_db_t *db, const idv_session_t *session,
                                 idv_liveness_record_t *record, int step,
                                 idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* Notes that RECORD was passed. */
idv_error_t *idv_liveness_pass(idv_db_t *db, const idv_session_t *session,
                               const idv_liveness_record_t *record,
                               apr_pool_t *pool) IDV_CHECKED;

/* Deletes the pictures of challenges of SESSION; the still stays when
 * KEEP_STILL is not zero. */
idv_error_t *idv_liveness_forget_pictures(idv_db_t *db,
                                          const idv_session_t *session,
                                          int keep_still,
                                          apr_pool_t *pool) IDV_CHECKED;

/* The pictures of a challenge. */
typedef struct {
    const idv_session_t *session;
    const idv_bytes_t *pictures; /* files */
    int count;                   /* at most IDV_LIVENESS_PARTS */
    idv_time_t begun;            /* the challenge */
    idv_time_t now;
    idv_time_t since; /* older marks do not count */
} idv_frame_sighting_t;

/* Remembers the pictures of SIGHTING; *REPEATED is set when one of them was
 * sent before the challenge, in another session or this one. Outside of a
 * transaction, as of two sessions that send the same at once one has to see the
 * other. A second time nothing is added. */
idv_error_t *idv_frame_sighting_note(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_frame_sighting_t *sighting,
                                     int *repeated,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
