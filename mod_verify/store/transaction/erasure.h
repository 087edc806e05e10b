/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_ERASURE_H
#define IDV_STORE_TRANSACTION_ERASURE_H

/*
 * Removing what was kept: what has been kept long enough, and all that is known
 * of a person who asks for it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `resource_missing` for a person that never was,
 * and `four_eyes_required`.
 */
#include <apr_tables.h>

#include "core/json.h"
#include "store/db/lookup.h"

/* --- by age --- */

/*
 * Rows are removed in small batches that no other statement has to wait for.
 * Several nodes may purge at once: each takes rows that no other has taken.
 */

typedef enum {
    IDV_RETENTION_IDEMPOTENCY, /* stored answers */
    IDV_RETENTION_DELIVERY,    /* records of deliveries */
    IDV_RETENTION_EVENT,
    IDV_RETENTION_RECOVERY, /* webhook recoveries that have ended */
    IDV_RETENTION_SECOND_REVIEW, /* that nobody made in time: they lapse */
    IDV_RETENTION_EVIDENCE, /* evidence of sessions that have ended */
    IDV_RETENTION_ATTEMPT,  /* attempts, counted by store/session/attempt_limit.h */
    IDV_RETENTION_RISK_OBSERVATION,
    IDV_RETENTION_MAIL, /* e-mail that could not be sent */
    IDV_RETENTION_DOCUMENT_SIGHTING,
    IDV_RETENTION_RISK_ASSESSMENT,
    IDV_RETENTION_TRUST_REUSE_TALLY,
    IDV_RETENTION_VP_TOKEN_PRESENTATION,
    IDV_RETENTION_EMAIL_OTP, /* codes that nobody can use any more */
    IDV_RETENTION_HANDOFF, /* of sessions that have ended */
    IDV_RETENTION_AGE_FAILURE,
    IDV_RETENTION_REVOCATION_LIST, /* copies that nobody asks for */
    IDV_RETENTION_WORKFLOW_REPLAY, /* jobs of the simulator that have ended */
    IDV_RETENTION_SHADOW_SESSION, /* that wait for a shadow that has ended */
    IDV_RETENTION_FORMER_SECRET, /* of webhooks, whose overlap has ended */
    IDV_RETENTION_LAW, /* what the law lets be kept of sessions for a time */
    IDV_RETENTION_REMOVED_SESSION, /* whose these were; no event is left */
    IDV_RETENTION_COUNT
} idv_retention_t;

/* Removes up to LIMIT rows of KIND from before CUTOFF; how many goes to
 * *REMOVED. */
idv_error_t *idv_retention_purge(idv_db_t *db, idv_retention_t kind,
                                 idv_time_t cutoff, int limit,
                                 apr_int64_t *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

/* --- of a person --- */

/*
 * A person is erased in one transaction. Destroyed are the identifiers,
 * credentials, VP tokens, evidence and the keys that seal it; grants of trust
 * reuse end with ERASURE_REQUEST. What the person's sessions and their events
 * say of the person is emptied: identifiers, metadata, client_reference_id,
 * URLs, messages, the place of the address, results. Answers that show these
 * sessions go with their idempotency keys. What remains are the sessions'
 * states and times, and one record of the erasure.
 *
 * Where the organization wants two people for it (idv_four_eyes_t), the first
 * operator only asks, and another one who says the same within
 * IDV_ERASURE_REQUEST_TIME erases. Until then it can be withdrawn.
 */
#define IDV_ERASURE_REQUEST_TIME (7 * IDV_DAY)

typedef struct {
    const char *person_id;
    const char *operator;  /* who says so: a login, or the system's user */
    idv_time_t at;
    const char *within; /* the person has to be of this organization; NULL: of
                         * whichever */
    const char *organization_id; /* found, like what follows */
    json_t *erased; /* object: how much of each; NULL: it was only asked for */
} idv_person_erasure_t;

/* Erases the person of ERASURE, or asks for it. A second time there is nothing
 * left to erase, and that is no error; a person that never was is
 * `resource_missing`; `four_eyes_required` for who has asked already. */
idv_error_t *idv_person_erase(idv_db_t *db, idv_person_erasure_t *erasure,
                              apr_pool_t *pool) IDV_CHECKED;

/* An erasure that waits for a second operator. */
typedef struct {
    const char *person_id;
    const char *requested_by;
    idv_time_t created;
    idv_time_t expires_at;
} idv_erasure_request_t;

/* Which of them are asked for. */
typedef struct {
    const char *organization_id;
    idv_time_t now;
    idv_cursor_t cursor; /* by persons' ids */
} idv_erasure_query_t;

/* What was asked for the person of ERASURE, in its organization, and is not over
 * at its time; *REQUEST is NULL for nothing. */
idv_error_t *idv_erasure_request_find(idv_db_t *db,
                                      const idv_person_erasure_t *erasure,
                                      idv_erasure_request_t **request,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Takes back what was asked for the person of ERASURE, whoever asked;
 * `resource_missing` when nothing of it waits at its time. */
idv_error_t *idv_erasure_request_withdraw(idv_db_t *db,
                                          idv_person_erasure_t *erasure,
                                          apr_pool_t *pool) IDV_CHECKED;

/* A page of the organization's erasures that wait at NOW, by the ids of the
 * persons, the newest person first, as an array of idv_erasure_request_t. */
idv_error_t *idv_erasure_request_page(idv_db_t *db,
                                      const idv_erasure_query_t *query,
                                      apr_array_header_t **requests,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
