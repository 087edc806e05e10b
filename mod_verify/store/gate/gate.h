/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_GATE_GATE_H
#define IDV_STORE_GATE_GATE_H

/*
 * Reads for age gates (domain/gate/gate.h): the validity of a visitor's
 * session, and whether a gate can create sessions.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h. A session that does not exist, was removed,
 * or belongs to a disabled organization has no standing, which is not an error.
 */
#include "domain/gate/gate.h"
#include "domain/session/session.h"
#include "store/db/db.h"

typedef struct {
    const char *workflow_id; /* NULL: no such session */
    idv_session_status_t status;
    /* Flag: it is verified, and its basis is not revoked, expired or erased. */
    int in_force;
    idv_time_t completed;
    idv_time_t expires; /* of the credential; 0: none */
    int age;            /* idv_gate_proved_age() */
    int identity;       /* flag */
    idv_use_case_t use_case;
    idv_article_t article;
    idv_channel_t channel;
} idv_gate_standing_t;

/* A gate session at a time. */
typedef struct {
    const char *organization_id;
    const char *id;
    idv_time_t now;
} idv_gate_query_t;

/* The session of QUERY. */
idv_error_t *idv_gate_standing(idv_db_t *db, const idv_gate_query_t *query,
                               idv_gate_standing_t *standing,
                               apr_pool_t *pool) IDV_CHECKED;

/* Why TARGET cannot create sessions, as the end of a sentence (constant text);
 * NULL in *FAULT: it can. */
idv_error_t *idv_gate_target_fault(idv_db_t *db,
                                   const idv_gate_target_t *target,
                                   const char **fault,
                                   apr_pool_t *scratch) IDV_CHECKED;

#endif
