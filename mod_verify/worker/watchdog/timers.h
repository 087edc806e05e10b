/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_TIMERS_H
#define IDV_WORKER_WATCHDOG_TIMERS_H

/*
 * Timed work of the watchdog in the database, a few rows per turn, so that
 * deliveries never wait long:
 *
 *   sessions     expire; reviews time out; sessions waiting at passive checks
 *                continue if a review was decided outside of this server, which
 *                did not run the checks
 *   retention    deletes data past its retention
 *                (store/transaction/retention.h), every ten minutes
 *   recoveries   ordered by operators (store/webhook/webhook_recovery.h) are
 *                executed, a batch of events per turn
 *   backlog      counts waiting deliveries, analyses and e-mails, and lookups
 *                of other organizations' persons, every 15 seconds
 *
 * Several nodes can run the same timers: a transition checks again under its
 * lock; removals and recoveries skip rows taken by another node. A session that
 * cannot be changed is logged and skipped; while none can be changed, a few are
 * tried per poll interval.
 *
 * Threads and memory: see worker.h. Failures: logged; the next turn retries.
 */
#include "worker/webhook/deliverer.h"

typedef struct idv_timers_t idv_timers_t;

/* Starts the timers; DELIVERER is woken for the resulting events. */
idv_timers_t *idv_timers_create(idv_worker_t *worker,
                                idv_deliverer_t *deliverer, apr_pool_t *pool);

/* Stops the timers. */
void idv_timers_stop(idv_timers_t *timers);

#endif
