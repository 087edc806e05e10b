/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_EVIDENCE_H
#define IDV_STORE_EVIDENCE_H

/*
 * Evidence: images of documents, sealed under a data key of their session. The
 * data key is sealed by the server's master key; deleting its row makes the
 * images unreadable wherever copies of them are.
 *
 * Memory: opened images are wiped with their pool.
 */
#include <apr_tables.h>

#include "domain/session.h"
#include "store/db.h"

/* One image. */
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
 * front, back; as an array of idv_evidence_t. */
idv_error_t *idv_evidence_open(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_session_t *session,
                               const char *const *sides,
                               apr_array_header_t **images,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
