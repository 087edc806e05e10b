/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_PROCESS_H
#define IDV_WORKER_WATCHDOG_PROCESS_H

/*
 * The inside of the watchdog process, from its first instruction to its end.
 *
 * It begins as a copy of the httpd parent, so it takes care not to act for it:
 * own signal handlers before anything else, own allocator and pools, and it is
 * left by _exit().
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
    const char *node;
    const idv_departing_t *departing;
    pid_t parent;
    idv_time_t pause; /* before the first work; the predecessor died young */
} idv_watchdog_process_t;

/* The signal that has the process depart: it ends when what is under way has, at
 * the latest after the configuration's reload_grace. */
#define IDV_WATCHDOG_DEPART SIGUSR1

/* Sets every signal that the parent handles otherwise: TERM, INT and HUP end
 * the process in good order, IDV_WATCHDOG_DEPART has it depart, the rest is
 * ignored or has its default. */
void idv_watchdog_catch_signals(void);

/* Works until told to end or the parent is gone; the exit status. */
int idv_watchdog_process_run(idv_watchdog_process_t *process);

#endif
