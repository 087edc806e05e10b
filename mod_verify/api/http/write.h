/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_WRITE_H
#define IDV_API_HTTP_WRITE_H

/*
 * A write of the API. All writes go the same way: look for a stored answer of
 * the Idempotency-Key, do the work, store the answer, commit, wake the
 * watchdog, answer. A handler checks its parameters, describes the work and
 * ends with idv_write(). A handler that needs another order uses the key
 * itself. store/request/idempotency.h explains keys.
 *
 * The answer is stored in the transaction of the work, and only if that
 * succeeds; a replay is byte for byte the same. Of two requests with one key
 * the slower is rolled back and gets the answer that the faster one stored.
 * Interface: Idempotency-Key applies to POST; other methods ignore it.
 *
 * An operator's write, and an administrative one of a key, is recorded in the
 * same transaction (api/http/action_record.h), with the `id` of the answer if
 * the path has none.
 *
 * Memory: everything lives in the request's pool. Threads: that of the request.
 */
#include "api/http/request.h"
#include "store/request/idempotency.h"

#define IDV_IDEMPOTENCY_KEY_LENGTH 255 /* bytes */

/* The request's key, with the digest of its path and body; NULL if it has none.
 * 1 to 255 printable ASCII characters, else `parameter_invalid`. */
idv_error_t *idv_idempotency_of_request(const idv_request_t *request,
                                        idv_idempotency_t **key) IDV_CHECKED;

/* The error to return when ERROR was found in the parameters or the body could
 * not be read. If the request has a key whose answer to another body is stored,
 * the result is `idempotency_key_reuse`, else ERROR. */
idv_error_t *idv_idempotency_refusal(idv_request_t *request,
                                     idv_error_t *error) IDV_CHECKED;

/* Answers with a stored answer, byte for byte, and marks it in a header. */
idv_error_t *
idv_idempotency_replay(idv_request_t *request,
                       const idv_stored_answer_t *answer) IDV_CHECKED;

/* Does the work on DB and produces the answer, the text of a JSON value in
 * POOL. It may run again after a rollback, so it must change only the database
 * and what it sets again in BATON. */
typedef idv_error_t *idv_write_work_t(idv_db_t *db, void *baton,
                                      const char **answer, apr_pool_t *pool);

typedef struct {
    int status; /* of the answer: 201 for a creation, else 200 */
    idv_write_work_t *work;
    void *baton;
    unsigned wake; /* idv_work_t to report to the watchdog; 0: none */
    /* Flag: only the last statement of WORK changes anything, so that no
     * transaction is needed unless there is an Idempotency-Key. */
    int changes_once;
    /* Flag: an administrative write, also recorded for keys. */
    int is_administrative;
    /* A member of the answer, in the service's own words, that is also
     * recorded because the request does not say what it led to; NULL: none. */
    const char *told;
    /* The name under which the `id` of the answer is recorded if the path has
     * the id of something else, such as "delivery_id"; NULL: not recorded. */
    const char *told_id;
} idv_write_t;

/* Runs WRITE for REQUEST and answers it; after an error nothing has changed. */
idv_error_t *idv_write(idv_request_t *request,
                       const idv_write_t *write) IDV_CHECKED;

#endif
