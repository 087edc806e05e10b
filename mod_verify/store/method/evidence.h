/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_EVIDENCE_H
#define IDV_STORE_METHOD_EVIDENCE_H

/*
 * Stored evidence: its parts (domain/method/method_evidence.h) until the
 * session ends, and, for longer, the marks by which a document presented for
 * another person is recognized.
 *
 * Parts are sealed under a data key of their session. The data key is sealed by
 * the master key; deleting its row makes all copies of the parts unreadable. In
 * the tables the name of a part is called `side`, after documents, the first
 * kind of evidence.
 *
 * A mark is an HMAC under a dedicated server key, of the organization and
 * either the bytes of a picture or the issuer and number of the document. So
 * marks cannot be compared across organizations, nor computed without the key.
 * They are kept for VerifyDocumentSightings and erased with the person.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool;
 * opened parts are wiped with it. Failures: those of store/db/db.h; a part or a
 * data key that does not open is internal.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "domain/method/method_evidence.h"
#include "domain/session/session.h"
#include "methods/document/document_decision.h"
#include "store/db/db.h"

/* --- parts --- */

typedef struct {
    const char *part; /* front, back, ... */
    const char *media_type;
    idv_bytes_t bytes;
} idv_evidence_t;

/* Stores a part; replaces an earlier one of the same name. */
idv_error_t *idv_evidence_put(idv_db_t *db, const idv_keyring_t *keyring,
                              const idv_session_t *session,
                              const idv_evidence_t *evidence,
                              apr_pool_t *pool) IDV_CHECKED;

/* Removes the COUNT parts with these NAMES, if present. */
idv_error_t *idv_evidence_remove(idv_db_t *db, const idv_session_t *session,
                                 const char *const *names, int count,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The names of the stored parts of SESSION, NULL-terminated, sorted. */
idv_error_t *idv_evidence_names(idv_db_t *db, const idv_session_t *session,
                                const char *const **names,
                                apr_pool_t *pool) IDV_CHECKED;

/* Records that SESSION passed METHOD with its current parts. A part that
 * replaces one later does not count as passed. */
idv_error_t *idv_evidence_believe(idv_db_t *db, const idv_session_t *session,
                                  idv_method_t method,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The names of the parts recorded so, like idv_evidence_names(). */
idv_error_t *idv_evidence_believed(idv_db_t *db, const idv_session_t *session,
                                   const char *const **names,
                                   apr_pool_t *pool) IDV_CHECKED;

/* A session and the keys that seal its evidence. */
typedef struct {
    const idv_keyring_t *keyring;
    const idv_session_t *session;
} idv_evidence_owner_t;

/* Opens the stored parts with these NAMES (NULL-terminated), in the order of
 * NAMES; an array of idv_evidence_t. Internal error if one does not open. */
idv_error_t *idv_evidence_open(idv_db_t *db, const idv_evidence_owner_t *owner,
                               const char *const *names,
                               apr_array_header_t **parts,
                               apr_pool_t *pool) IDV_CHECKED;

/* Opens the part NAME if it is a picture; `resource_missing` if it is not, or
 * is not stored. */
idv_error_t *idv_evidence_open_picture(idv_db_t *db,
                                       const idv_evidence_owner_t *owner,
                                       const char *name,
                                       idv_evidence_t **picture,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A part of the evidence of a session, and the keys that seal it. */
typedef struct {
    const idv_keyring_t *keyring;
    const idv_session_t *session;
    const char *name; /* of the part */
} idv_evidence_place_t;

/* Seals PLAIN under the data key of SESSION, bound to its NAME; for data that
 * is stored alongside the evidence and deleted with it. */
idv_error_t *idv_evidence_seal(idv_db_t *db, const idv_evidence_place_t *place,
                               idv_bytes_t plain, idv_bytes_t *sealed,
                               apr_pool_t *pool) IDV_CHECKED;

/* Opens the output of idv_evidence_seal(); `resource_missing` if the session's
 * evidence was purged. */
idv_error_t *idv_evidence_unseal(idv_db_t *db,
                                 const idv_evidence_place_t *place,
                                 idv_bytes_t sealed, idv_bytes_t *plain,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- sightings --- */

/*
 * Another person is a session of the same organization that shares neither the
 * e-mail address, nor the phone number, nor the verified person. A document
 * counts as another person's only if both sessions have at least one of these;
 * an identical file counts even if they have none. Unproven claims of a browser
 * do not establish the same person. A person who has verified with a document
 * before is not another person, whatever others did with it. Sessions that
 * failed, were cancelled or expired do not count.
 */

#define IDV_SIGHTING_PICTURES_MAX 2

/* The evidence of a sighting. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    idv_bytes_t pictures[IDV_SIGHTING_PICTURES_MAX]; /* files; may be absent */
    const idv_document_t *document;                  /* as read */
    idv_time_t now;
    idv_time_t since; /* ignore older sightings */
} idv_document_sighting_t;

/* Stores SIGHTING and fills SEEN with other sightings of its pictures and
 * document. Call it outside of a transaction: of two sessions with the same
 * evidence at the same time, at least one then sees the other. Idempotent. */
idv_error_t *idv_document_sighting_note(idv_db_t *db,
                                        const idv_keyring_t *keyring,
                                        const idv_document_sighting_t *sighting,
                                        idv_document_sightings_t *seen,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
