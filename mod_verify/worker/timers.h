/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_TIMERS_H
#define IDV_WORKER_TIMERS_H

/*
 * What the watchdog does in the database because time has passed, a few rows a
 * turn, so that deliveries never wait long for a timer:
 *
 *   sessions     expire; reviews time out; sessions that rest at passive checks
 *                go on, as nobody ran them for whoever decided a review from
 *                outside of this server
 *   retention    what has been kept long enough is removed (store/transaction/erasure.h
 *                lists it), every ten minutes
 *   recoveries   that operators have ordered (store/webhook/webhook_recovery.h) are
 *                carried out, a batch of events a turn
 *   backlog      how many deliveries, analyses and e-mails wait, and how often
 *                persons of others were asked for, is read every 15 seconds
 *
 * Several nodes may run the same timers: a transition checks again under its
 * lock, the removals and recoveries skip what another node has taken. One
 * session that cannot be changed is logged and passed over; while none can be,
 * a few are tried in each poll interval.
 *
 * Threads and memory: see worker.h. Failures: logged; the next turn tries
 * again.
 */
#include "worker/deliverer.h"

typedef struct idv_timers_t idv_timers_t;

/* Starts the timers; DELIVERER is woken for the events that they cause. */
idv_timers_t *idv_timers_create(idv_worker_t *worker,
                                idv_deliverer_t *deliverer, apr_pool_t *pool);

/* No more of them. */
void idv_timers_stop(idv_timers_t *timers);

#endif
