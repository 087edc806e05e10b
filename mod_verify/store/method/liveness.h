/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_LIVENESS_H
#define IDV_STORE_METHOD_LIVENESS_H

/*
 * The liveness challenge of a session (methods/face/liveness_challenge.h), and
 * the marks by which a resent picture is recognized.
 *
 * A session has one challenge, the latest; starting another deletes the
 * previous one and its pictures, which are parts of the session's evidence. It
 * is deleted with the evidence.
 *
 * Marks are HMACs under the key of document sightings, of the organization with
 * the bytes of a picture. They contain no information about a face and are kept
 * as long as those (VerifyDocumentSightings).
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
    int assisted; /* flag: requested by a person who cannot move as required */
    int passed;   /* flag: its pictures show a live person */
    const char *provider; /* named in the consent; NULL: none */
} idv_liveness_record_t;

/* Settings of a new challenge. */
typedef struct {
    int assisted;         /* flag: without movements */
    const char *provider; /* as in the record */
    idv_time_t now;
} idv_liveness_wish_t;

/* Starts a challenge of SESSION, in a transaction that holds its
 * lock. */
idv_error_t *idv_liveness_begin(idv_db_t *db, const idv_session_t *session,
                                const idv_liveness_wish_t *wish,
                                idv_liveness_record_t **record,
                                apr_pool_t *pool) IDV_CHECKED;

/* The challenge of SESSION; NULL: none. */
idv_error_t *idv_liveness_find(idv_db_t *db, const idv_session_t *session,
                               idv_liveness_record_t **record,
                               apr_pool_t *pool) IDV_CHECKED;

/* A step whose pictures have arrived, and when. */
typedef struct {
    int step;
    idv_time_t now;
} idv_liveness_arrival_t;

/* Records in the database and in RECORD that the pictures of STEP (from 1)
 * arrived at NOW; in a transaction that holds the session's lock. */
idv_error_t *idv_liveness_arrive(idv_db_t *db, const idv_session_t *session,
                                 idv_liveness_record_t *record,
                                 const idv_liveness_arrival_t *arrival,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Records that RECORD was passed. */
idv_error_t *idv_liveness_pass(idv_db_t *db, const idv_session_t *session,
                               const idv_liveness_record_t *record,
                               apr_pool_t *pool) IDV_CHECKED;

/* Deletes the pictures of SESSION's challenges, except the still if KEEP_STILL
 * is not zero. */
idv_error_t *idv_liveness_forget_pictures(idv_db_t *db,
                                          const idv_session_t *session,
                                          int keep_still,
                                          apr_pool_t *pool) IDV_CHECKED;

/* The pictures of a challenge. */
typedef struct {
    const idv_session_t *session;
    const idv_bytes_t *pictures; /* files */
    int count;                   /* at most IDV_LIVENESS_PARTS */
    idv_time_t begun;            /* start of the challenge */
    idv_time_t now;
    idv_time_t since; /* ignore older marks */
} idv_frame_sighting_t;

/* Stores the marks of SIGHTING's pictures; *REPEATED is set if one was sent
 * before the challenge, in this or another session. Call it outside of a
 * transaction, so that of two sessions that send the same picture at once one
 * sees the other. Idempotent. */
idv_error_t *idv_frame_sighting_note(idv_db_t *db, const idv_keyring_t *keyring,
                                     const idv_frame_sighting_t *sighting,
                                     int *repeated,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
