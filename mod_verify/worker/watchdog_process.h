/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_PROCESS_H
#define IDV_WORKER_WATCHDOG_PROCESS_H

/*
 * The watchdog from inside: one process and one event loop, from its first
 * instruction to its last. worker/watchdog.h is the same process as httpd's
 * parent sees it.
 *
 * The parts. Each takes work out of the database when somebody says that there
 * is some, or at the next poll, and gives it back when the process ends:
 *
 *   deliverer        sends webhooks
 *   timers           does what time or an operator demands of the database
 *   analysis_runner  has submissions read by verify-analyze, a process below
 *                    this one
 *   captcha_check    asks the captcha provider for children (when configured)
 *   mailer           sends e-mail (when configured)
 *
 * What they share is in worker/worker.h.
 *
 * The states of the process, in their order; there is no way back:
 *
 *   beginning  the process is there, and waits out the pause that the parent
 *              gave it because its predecessor died young
 *   working    all parts take work
 *   departing  IDV_WATCHDOG_DEPART has come, after a reload: no part takes
 *              work; deliveries and e-mails under way go on, for
 *              VerifyReloadGrace at most; analyses are given back at once, as
 *              the successor begins them anew
 *   ending     the process is told to end, its parent has gone, or a part
 *              cannot begin: as departing, but for half a second at most
 *
 * From the last two states the process ends when nothing is under way, at the
 * latest after their time: it records what has ended, gives its other leases
 * back, ends verify-analyze, and exits with status 0.
 *
 * It begins as a copy of httpd's parent and takes care not to act for it: it
 * sets its own signal handlers before anything else, has its own allocator and
 * pools, and is left by _exit(), so that no cleanup of the parent's runs.
 */
#include <signal.h>
#include <stdatomic.h>

#include "worker/watchdog.h"

/* What the parent hands over. */
typedef struct {
    const idv_watchdog_config_t *config;
    server_rec *server;
    idv_statistics_t *statistics;
    _Atomic unsigned *work; /* see idv_watchdog_wake() */
    int descriptor;         /* readable after a wake-up */
    const idv_captcha_channel_t *captcha;
    const char *node; /* the owner of leases: this server process */
    const idv_departing_t *departing;
    pid_t parent;
    idv_time_t pause; /* before the first work; the predecessor died young */
} idv_watchdog_process_t;

/* The signal that has the process depart. */
#define IDV_WATCHDOG_DEPART SIGUSR1

/* Gives every signal that the parent handles in its own way the meaning that it
 * has for the watchdog. To be called while all signals are blocked. */
void idv_watchdog_catch_signals(void);

/* Works until told to end or the parent is gone; the exit status. */
int idv_watchdog_process_run(idv_watchdog_process_t *process);

#endif
