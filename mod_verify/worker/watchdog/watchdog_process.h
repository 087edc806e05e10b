/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_WATCHDOG_PROCESS_H
#define IDV_WORKER_WATCHDOG_WATCHDOG_PROCESS_H

/*
 * The inside of the watchdog: one process and one event loop, from its first
 * instruction to its last. worker/watchdog/watchdog.h describes it as httpd's
 * parent sees it.
 *
 * Parts: each takes work from the database when some is announced, or at the
 * next poll, and releases it when the process ends:
 *
 *   deliverer        sends webhooks
 *   timers           timed work, and recoveries ordered by operators
 *   analysis_runner  has submissions read by verify-analyze, a child process
 *   captcha_check    asks the captcha provider for children (if configured)
 *   mailer           sends e-mail (if configured)
 *
 * worker/process/worker.h has what they share.
 *
 * States, in this order, never backwards:
 *
 *   beginning  waits out the pause that the parent set because the predecessor
 *              died young
 *   working    all parts take work
 *   departing  after IDV_WATCHDOG_DEPART (a reload): no part takes work;
 *              running deliveries and e-mails continue, for VerifyReloadGrace
 *              at most; analyses are released at once, as the successor
 *              restarts them
 *   ending     told to end, parent gone, or a part failed to start: as
 *              departing, but for half a second at most
 *
 * In the last two states the process ends when nothing is running, at the
 * latest when their time is over: it records finished work, releases its other
 * leases, ends verify-analyze, and exits with status 0.
 *
 * It starts as a copy of httpd's parent and must not act for it: it first sets
 * its own signal handlers, has its own allocator and pools, and is left by
 * _exit(), so that no cleanup of the parent runs.
 */
#include <signal.h>
#include <stdatomic.h>

#include <httpd.h>

#include "worker/account/captcha_check.h"
#include "worker/process/statistics.h"
#include "worker/process/watchdog_config.h"

/* Data from the parent. */
typedef struct {
    const idv_watchdog_config_t *config;
    server_rec *server;
    idv_statistics_t *statistics;
    _Atomic unsigned *work; /* see idv_watchdog_wake() */
    int descriptor;         /* readable after a wake-up */
    const idv_captcha_channel_t *captcha;
    int spans; /* descriptor of the channel of spans; -1: none */
    const char *node; /* the owner of leases: this server process */
    const idv_departing_t *departing;
    pid_t parent;
    idv_time_t pause; /* before the first work if the predecessor died young */
} idv_watchdog_process_t;

/* The signal that makes the process depart. */
#define IDV_WATCHDOG_DEPART SIGUSR1

/* Sets the watchdog's handlers for all signals that the parent handles. Call it
 * while all signals are blocked. */
void idv_watchdog_catch_signals(void);

/* Runs until told to end or the parent is gone; returns the exit status. */
int idv_watchdog_process_run(idv_watchdog_process_t *process);

#endif
