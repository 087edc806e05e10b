/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_EVIDENCE_H
#define IDV_STORE_EVIDENCE_H

/*
 * What is kept of documents: their images until the session has ended, and for
 * longer the marks by which one that is shown for somebody else is recognized.
 *
 * Images are sealed under a data key of their session. The data key is sealed
 * by the server's master key; deleting its row makes the images unreadable
 * wherever copies of them are.
 *
 * Marks are HMACs under a key of the server that has no other purpose, of the
 * organization with the bytes of each picture, or with the issuer and number of
 * the document: nothing can be compared across organizations, nor found without
 * the key. They are kept for as long as VerifyDocumentSightings says, and
 * erased with the person.
 *
 * Threads: as in store/db.h. Memory: everything lives in the given pool; opened
 * images are wiped with it. Failures: those of store/db.h; an image or a data
 * key that does not open is internal.
 */
#include <apr_tables.h>

#include "domain/session.h"
#include "methods/document/document_decision.h"
#include "store/db.h"

/* --- images --- */

typedef struct {
    const char *side; /* front, back, ... */
    const char *media_type;
    idv_bytes_t bytes;
} idv_evidence_t;

/* Stores an image; a later one of the same side replaces it. */
idv_error_t *idv_evidence_put(idv_db_t *db, const idv_keyring_t *keyring,
                              const idv_session_t *session,
                              const idv_evidence_t *evidence,
                              apr_pool_t *pool) IDV_CHECKED;

/* Opens the images of SIDES (NULL-terminated) that are there, in the order
 * front, back; as an array of idv_evidence_t. An internal error when one does
 * not open. */
idv_error_t *idv_evidence_open(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_t *session,
                               const char *const *sides,
                               apr_array_header_t **images,
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
