/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_REQUEST_IDEMPOTENCY_H
#define IDV_STORE_REQUEST_IDEMPOTENCY_H

/*
 * Idempotency keys: the answer of a write is stored in the transaction of the
 * write, so there is never one without the other.
 *
 * A handler looks for a stored answer first (idv_idempotency_find). If there is
 * none, the handler works, and stores its answer as the last statement of its
 * transaction (idv_idempotency_store). That statement waits while another
 * request with the same key runs, as long as the connection's lock_timeout
 * allows; when the other one has stored its answer meanwhile, this transaction
 * has to be rolled back and the stored answer replayed.
 *
 * Answers may contain secrets that are shown once, so they are sealed under a
 * key of the server, each bound to its row. Keys may name a person, so only
 * their HMAC is stored. Earlier releases stored the text: such a record is
 * still found until it expires, and is still written while a node of an earlier
 * release is there (sql/fragments/idempotency_text_is_read.sql).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool; opened
 * answers are wiped with it. Failures: those of store/db/db.h;
 * `idempotency_key_reuse` for another request under the same key,
 * `idempotency_in_progress` while the first one runs.
 */
#include "core/keyring.h"
#include "store/db/db.h"

/* A request that carries a key. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: organization-wide key */
    const char *route;          /* such as "POST /v1/verification_sessions" */
    const char *key;            /* what is stored of it */
    const char *former_key;     /* what earlier releases stored: its text */
    unsigned char request_digest[IDV_DIGEST_SIZE]; /* of path and body */
    idv_time_t now;
    idv_time_t retention; /* a key is new again after it */
    const idv_keyring_t *keyring;
} idv_idempotency_t;

/* An answer to replay byte for byte. */
typedef struct {
    int status;
    const char *body;
    /* The session, person or risk assessment that it shows, with which it is
     * erased; NULL: none. */
    const char *subject_id;
} idv_stored_answer_t;

/* Sets the keys of REQUEST, of which the other members say where it belongs, to
 * those of TEXT, as the caller sent it. */
void idv_idempotency_set_key(idv_idempotency_t *request, const char *text,
                             apr_pool_t *pool);

/* The stored answer, or NULL. A key that was used with another request is
 * `idempotency_key_reuse`. */
idv_error_t *idv_idempotency_find(idv_db_t *db,
                                  const idv_idempotency_t *request,
                                  idv_stored_answer_t **answer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Stores the answer inside the running transaction; *STORED is 0 when another
 * request has stored one meanwhile. `idempotency_in_progress` when the other
 * request does not end in time. */
idv_error_t *idv_idempotency_store(idv_db_t *db,
                                   const idv_idempotency_t *request,
                                   const idv_stored_answer_t *answer,
                                   int *stored, apr_pool_t *pool) IDV_CHECKED;

/* An answer, sealed for the row of its key and for that of the key's text. */
typedef struct {
    idv_bytes_t response, former_response;
} idv_sealed_answer_t;

idv_error_t *idv_idempotency_seal(const idv_idempotency_t *request,
                                  const char *body, idv_sealed_answer_t *sealed,
                                  apr_pool_t *pool) IDV_CHECKED;

/* An error of a statement that waited for another request's lock becomes
 * `idempotency_in_progress`; any other stays. */
idv_error_t *idv_idempotency_error(idv_error_t *error, idv_db_t *db,
                                   apr_pool_t *pool);

#endif
