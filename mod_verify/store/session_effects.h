/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_EFFECTS_H
#define IDV_STORE_SESSION_EFFECTS_H

/*
 * What a change of a session does besides changing it, inside of the same
 * transaction: events, the record of reviews, analysis jobs, purging,
 * credentials, counting.
 *
 * The list of effects is domain/session_step.h's; each that is not in the
 * session's own row has one function here. Memory: in the given pool.
 */
#include "store/session_lookup.h"

/* A change that is being written. */
typedef struct {
    const idv_session_record_t
        *record; /* at creation the new one, else that before */
    const idv_session_change_t *change;
    const idv_session_input_t *input; /* NULL at creation */
    const idv_workflow_t *workflow;
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_session_effects_t;

/* What has been queued by it, for waking the watchdog. */
typedef struct {
    apr_int64_t deliveries;
    int analyses;
} idv_session_queued_t;

/* The change's events from number FIRST on, with their deliveries. */
idv_error_t *idv_session_announce(idv_db_t *db,
                                  const idv_session_effects_t *effects,
                                  int first, idv_session_queued_t *queued,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The change's entries in the record of reviews, and every effect of it. */
idv_error_t *idv_session_run_effects(idv_db_t *db,
                                     const idv_session_effects_t *effects,
                                     idv_session_queued_t *queued,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
