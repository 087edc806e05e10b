/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DOCUMENT_SIGHTING_H
#define IDV_STORE_DOCUMENT_SIGHTING_H

/*
 * Which documents were shown in which sessions, to see when one is shown for
 * somebody else.
 *
 * What is kept are HMACs under a key of the server that has no other purpose,
 * of the organization with the bytes of each picture, or with the issuer and
 * number of the document: nothing can be compared across organizations, nor
 * found without the key. They are kept for as long as VerifyDocumentSightings
 * says, and erased with the person.
 *
 * Somebody else is a session of the same organization that shares neither the
 * e-mail address, nor the phone number, nor the verified person. A document is
 * somebody else's only when both sessions know one of these; the very same file
 * also when they do not. What a browser claims of itself makes nobody the same
 * before it is proved. Whoever has verified with a document before is not
 * somebody else, whatever others did with it, and neither do sessions count
 * that failed, were cancelled or expired.
 *
 * Memory: in the given pool.
 */
#include "methods/document/document_decision.h"
#include "store/db.h"

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

/* Remembers SIGHTING and fills SEEN with where else it was. Outside of a
 * transaction: of two sessions that are shown the same at once, at least one
 * sees the other. A second time nothing is added. */
idv_error_t *idv_document_sighting_note(idv_db_t *db,
                                        const idv_keyring_t *keyring,
                                        const idv_document_sighting_t *sighting,
                                        idv_document_sightings_t *seen,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
