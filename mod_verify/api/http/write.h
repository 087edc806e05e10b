/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_WRITE_H
#define IDV_API_HTTP_WRITE_H

/*
 * One write of the API, in the way that all of them go: look whether the
 * Idempotency-Key was answered before, work, store the answer, commit, wake
 * the watchdog, answer. A handler checks its parameters, says what the work is
 * and leaves with idv_write(); one that cannot go that way uses the key itself.
 * store/request/idempotency.h says how keys work.
 *
 * The answer is stored in the transaction of the work, and only when that
 * succeeds; a replay is byte for byte the same. Of two requests with one key
 * the slower is rolled back and answered with what the faster one stored.
 * Interface: Idempotency-Key belongs to POST; other methods ignore it.
 *
 * An operator's write, and an administrative one of a key, is recorded in the
 * same transaction (api/http/action_record.h), with the `id` of the answer when the
 * path has none.
 *
 * Memory: everything lives in the request's pool. Threads: that of the request.
 */
#include "api/http/request.h"
#include "store/request/idempotency.h"

#define IDV_IDEMPOTENCY_KEY_LENGTH 255 /* bytes */

/* The request's key, with the digest of its path and body; NULL when it has
 * none. 1 to 255 printable ASCII characters, else `parameter_invalid`. */
idv_error_t *idv_idempotency_of_request(const idv_request_t *request,
                                        idv_idempotency_t **key) IDV_CHECKED;

/* ERROR is what is wrong with the parameters. When they come with a key whose
 * answer to another body is stored, that comes first: the result is
 * `idempotency_key_reuse` then, else ERROR; so it is when the body could not
 * be read. */
idv_error_t *idv_idempotency_refusal(idv_request_t *request,
                                     idv_error_t *error) IDV_CHECKED;

/* Answers with a stored answer, byte for byte, and says so in a header. */
idv_error_t *
idv_idempotency_replay(idv_request_t *request,
                       const idv_stored_answer_t *answer) IDV_CHECKED;

/* Does the work on DB and makes the answer, the text of a JSON value in POOL.
 * It may run more than once, each time after a roll-back, so it must change
 * nothing but the database and what it sets anew in BATON. */
typedef idv_error_t *idv_write_work_t(idv_db_t *db, void *baton,
                                      const char **answer, apr_pool_t *pool);

typedef struct {
    int status; /* of the answer: 201 for a creation, else 200 */
    idv_write_work_t *work;
    void *baton;
    unsigned wake; /* idv_work_t to tell the watchdog of; 0: none */
    /* Flag: only the last statement of WORK changes anything, so that without
     * an Idempotency-Key no transaction is needed around them. */
    int changes_once;
    /* Flag: a key that does it administers, so that it is recorded of keys. */
    int is_administrative;
    /* The member of the answer, one of the service's own words, that the record
     * tells as well, because the request does not say what it led to; NULL:
     * none. */
    const char *told;
    /* As which the record tells the `id` of the answer, where the path's is that
     * of something else, such as "delivery_id"; NULL: not. */
    const char *told_id;
} idv_write_t;

/* Does WRITE for REQUEST and answers it; after an error nothing has changed. */
idv_error_t *idv_write(idv_request_t *request,
                       const idv_write_t *write) IDV_CHECKED;

#endif
