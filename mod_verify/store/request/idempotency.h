/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_REQUEST_IDEMPOTENCY_H
#define IDV_STORE_REQUEST_IDEMPOTENCY_H

/*
 * Idempotency keys: the response of a write is stored in the transaction of the
 * write, so neither exists without the other.
 *
 * A handler first looks for a stored response (idv_idempotency_find). If there
 * is none, it does its work and stores the response as the last statement of
 * its transaction (idv_idempotency_store). That statement waits, up to the
 * connection's lock_timeout, for a concurrent request with the same key. If
 * that request has stored its response, this transaction must be rolled back
 * and the stored response replayed.
 *
 * Responses can contain secrets that are shown once, so they are sealed under a
 * key of the server, each bound to its row. Keys can name a person, so only
 * their HMAC is stored. Earlier releases stored the text: such a record is
 * still found until it expires, and still written while a node of an earlier
 * release is running (sql/fragments/idempotency_text_is_read.sql).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool;
 * opened responses are wiped with it. Failures: those of store/db/db.h;
 * `idempotency_key_reuse` for a different request with the same key,
 * `idempotency_in_progress` while the first one runs.
 */
#include "core/keyring.h"
#include "store/db/db.h"

/* A request with a key. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* NULL: organization-wide key */
    const char *route;          /* such as "POST /v1/verification_sessions" */
    const char *key;            /* the stored form, an HMAC */
    const char *former_key;     /* the form stored by earlier releases: its
                                 * text */
    unsigned char request_digest[IDV_DIGEST_SIZE]; /* of path and body */
    idv_time_t now;
    idv_time_t retention; /* afterwards the key counts as new */
    const idv_keyring_t *keyring;
} idv_idempotency_t;

/* A response to replay byte for byte. */
typedef struct {
    int status;
    const char *body;
    /* The session, person or risk assessment that it shows and with which it is
     * erased; NULL: none. */
    const char *subject_id;
} idv_stored_answer_t;

/* Sets the keys of REQUEST from TEXT, as sent by the caller; all other members
 * must be set. */
void idv_idempotency_set_key(idv_idempotency_t *request, const char *text,
                             apr_pool_t *pool);

/* The stored response, or NULL. `idempotency_key_reuse` if the key was used
 * with a different request. */
idv_error_t *idv_idempotency_find(idv_db_t *db,
                                  const idv_idempotency_t *request,
                                  idv_stored_answer_t **answer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Stores the response in the running transaction; *STORED is 0 if another
 * request has stored one meanwhile. `idempotency_in_progress` if the other
 * request does not end in time. */
idv_error_t *idv_idempotency_store(idv_db_t *db,
                                   const idv_idempotency_t *request,
                                   const idv_stored_answer_t *answer,
                                   int *stored, apr_pool_t *pool) IDV_CHECKED;

/* A response sealed for the row of its key and for the row of the key's
 * text. */
typedef struct {
    idv_bytes_t response, former_response;
} idv_sealed_answer_t;

idv_error_t *idv_idempotency_seal(const idv_idempotency_t *request,
                                  const char *body, idv_sealed_answer_t *sealed,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Converts the error of a statement that waited for another request's lock to
 * `idempotency_in_progress`; returns any other unchanged. */
idv_error_t *idv_idempotency_error(idv_error_t *error, idv_db_t *db,
                                   apr_pool_t *pool);

#endif
