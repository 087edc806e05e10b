/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_CREATE_H
#define IDV_STORE_SESSION_CREATE_H

/*
 * Writing new sessions, and what has to be known before; in between
 * domain/session_create.h decides.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/session_create.h"
#include "store/idempotency.h"
#include "store/session.h"

/* What creation depends on; see domain/session_create.h. */
typedef struct {
    const char *workflow_id;
    const char *workflow_version_id;
    idv_workflow_t *workflow; /* NULL: no such workflow in the scope */
    int has_webhook_endpoint;
    int used_this_month; /* verifications */
    apr_int64_t free_allotment;
    apr_int64_t credit_balance;
} idv_session_create_facts_t;

idv_error_t *idv_session_create_facts(idv_db_t *db, const idv_scope_t *scope,
                                      const char *workflow_id, idv_time_t now,
                                      idv_session_create_facts_t *facts,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Writes what idv_session_create() decided. With an idempotency request, STATUS
 * and BODY are its stored answer; when that key has been used meanwhile,
 * nothing is written and *STORED is 0: then replay. */
typedef struct {
    const idv_session_record_t *record;
    const idv_session_change_t *change;
    const idv_idempotency_t *idempotency; /* NULL: no key */
    int status;
    const char *body;
    const idv_workflow_t *workflow;
    const idv_keyring_t *keyring;
    /* What else belongs into the transaction of a session that is born
     * verified; adds to *DELIVERIES. NULL: nothing. */
    idv_error_t *(*besides)(idv_db_t *db, void *baton, apr_int64_t *deliveries,
                            apr_pool_t *pool);
    void *baton;
} idv_session_creation_t;

typedef struct {
    int stored;
    apr_int64_t deliveries; /* queued; wake the watchdog when not 0 */
} idv_session_creation_result_t;

idv_error_t *idv_session_insert(idv_db_t *db,
                                const idv_session_creation_t *creation,
                                idv_session_creation_result_t *result,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
