/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_EVIDENCE_H
#define IDV_STORE_METHOD_EVIDENCE_H

/*
 * What is kept of evidence: its parts (domain/method/method_evidence.h) until the
 * session has ended, and for longer the marks by which a document that is shown
 * for somebody else is recognized.
 *
 * Parts are sealed under a data key of their session. The data key is sealed by
 * the server's master key; deleting its row makes the parts unreadable wherever
 * copies of them are. The tables call the name of a part its `side`, after the
 * documents that were the first evidence.
 *
 * Marks are HMACs under a key of the server that has no other purpose, of the
 * organization with the bytes of each picture, or with the issuer and number of
 * the document: nothing can be compared across organizations, nor found without
 * the key. They are kept for as long as VerifyDocumentSightings says, and
 * erased with the person.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool; opened
 * parts are wiped with it. Failures: those of store/db/db.h; a part or a data key
 * that does not open is internal.
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

/* Stores a part; a later one of the same name replaces it. */
idv_error_t *idv_evidence_put(idv_db_t *db, const idv_keyring_t *keyring,
                              const idv_session_t *session,
                              const idv_evidence_t *evidence,
                              apr_pool_t *pool) IDV_CHECKED;

/* Removes the parts of these NAMES (COUNT of them), as far as they are there. */
idv_error_t *idv_evidence_remove(idv_db_t *db, const idv_session_t *session,
                                 const char *const *names, int count,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The names of the parts of SESSION that are there, NULL-terminated, sorted. */
idv_error_t *idv_evidence_names(idv_db_t *db, const idv_session_t *session,
                                const char *const **names,
                                apr_pool_t *pool) IDV_CHECKED;

/* Notes that the session was passed by METHOD with the parts that are there of
 * it. A part that replaces one of them is not what it was passed with. */
idv_error_t *idv_evidence_believe(idv_db_t *db, const idv_session_t *session,
                                  idv_method_t method,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The names of the parts of which that was noted, as idv_evidence_names(). */
idv_error_t *idv_evidence_believed(idv_db_t *db, const idv_session_t *session,
                                   const char *const **names,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Opens the parts of these NAMES (NULL-terminated) that are there, in the order
 * of NAMES; as an array of idv_evidence_t. An internal error when one does not
 * open. */
idv_error_t *idv_evidence_open(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_t *session,
                               const char *const *names,
                               apr_array_header_t **parts,
                               apr_pool_t *pool) IDV_CHECKED;

/* Opens the part NAME when it is a picture; `resource_missing` when it is none, or
 * is not there. */
idv_error_t *idv_evidence_open_picture(idv_db_t *db,
                                       const idv_keyring_t *keyring,
                                       const idv_session_t *session,
                                       const char *name,
                                       idv_evidence_t **picture,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Seals PLAIN under the data key of SESSION, bound to the NAME of what it is; for
 * what is kept beside the evidence and ends with it. */
idv_error_t *idv_evidence_seal(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_t *session, const char *name,
                               idv_bytes_t plain, idv_bytes_t *sealed,
                               apr_pool_t *pool) IDV_CHECKED;

/* Opens what idv_evidence_seal() made; `resource_missing` when the evidence of
 * the session was purged. */
idv_error_t *idv_evidence_unseal(idv_db_t *db, const idv_keyring_t *keyring,
                                 const idv_session_t *session,
                                 const char *name, idv_bytes_t sealed,
                                 idv_bytes_t *plain,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- sightings --- */

/*
 * Somebody else is a session of the same organization that shares neither the
 * e-mail address, nor the phone number, nor the verified person. A document is
 * somebody else's only when both sessions know one of these; the very same file
 * also when they do not. What a browser claims of itself makes nobody the same
 * before it is proved. Whoever has verified with a document before is not
 * somebody else, whatever others did with it, and neither do sessions count
 * that failed, were cancelled or expired.
 */

#define IDV_SIGHTING_PICTURES_MAX 2

/* What a session was shown. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    idv_bytes_t pictures[IDV_SIGHTING_PICTURES_MAX]; /* files; may be missing */
    const idv_document_t *document;                  /* as it was read */
    idv_time_t now;
    idv_time_t since; /* older sightings do not count */
} idv_document_sighting_t;

/* Remembers SIGHTING and fills SEEN with where else its pictures and its
 * document were. Outside of a transaction: of two sessions that are shown the
 * same at once, at least one sees the other. A second time nothing is added. */
idv_error_t *idv_document_sighting_note(idv_db_t *db,
                                        const idv_keyring_t *keyring,
                                        const idv_document_sighting_t *sighting,
                                        idv_document_sightings_t *seen,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
