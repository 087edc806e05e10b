/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_WATCHDOG_H
#define IDV_WORKER_WATCHDOG_WATCHDOG_H

/*
 * The watchdog as seen by httpd's parent and children: one process next to the
 * children for work that no request should wait for. It delivers webhooks,
 * sends e-mail, runs timers, asks the captcha provider, and has submissions
 * analysed, all in one event loop. worker/watchdog/watchdog_process.h has its inside.
 *
 * Start: httpd's parent forks it in post_config, after reading everything it
 * needs, and again whenever it dies: at once if it has lived for ten seconds or
 * dies for the first time, else after a pause that doubles up to half a minute.
 * The new process drops privileges, closes the listeners, and has its own pool,
 * allocator, signal handlers and database connection.
 *
 * End: the parent's action depends on the reason:
 *
 *   a stop, or a restart      SIGTERM; the parent waits for the exit, five
 *   that is not graceful      seconds at most, then kills it
 *   a graceful restart        IDV_WATCHDOG_DEPART; the parent waits for half a
 *   (reload)                  second; a process with running exchanges
 *                             continues as departing, next to its successor,
 *                             for VerifyReloadGrace at most. At most
 *                             IDV_DEPARTING_MAX depart at a time; a further one
 *                             is ended as in a stop
 *   the death of the watchdog the parent starts another one
 *   the death of the parent   the watchdog exits
 *
 * Every exit status other than 0 is logged. The successor has the new
 * configuration. Children of the old generation wake the successor, because the
 * wake-up channel belongs to the server process and not to a generation.
 *
 * All state is in the database. The watchdog leases everything that it works
 * on: after kill -9 the next watchdog of the same server process takes it over
 * at once, another node when the lease expires. Work of a departing watchdog is
 * left to it until it has gone.
 *
 * Threads: any thread of any child may use idv_watchdog_wake() and the
 * statistics. The rest is for the parent at start-up. Memory: the
 * configuration's pool, except for what generations share (worker/process/retained.h).
 * Failures: only the start can fail; later failures are logged.
 */
#include <httpd.h>

#include "worker/account/captcha_check.h"
#include "worker/process/statistics.h"
#include "worker/process/watchdog_config.h"

/* The channel between children and watchdog. The underlying resources exist
 * once per server process, the structure once per configuration. */
typedef struct idv_watchdog_t idv_watchdog_t;

/* Starts the watchdog; call it in post_config, but not in the first of the two
 * passes at server start (AP_SQ_MS_CREATE_PRE_CONFIG). Opens no connection in
 * the parent. The result lives in PCONF. */
idv_error_t *idv_watchdog_start(const idv_watchdog_config_t *config,
                                server_rec *server, idv_watchdog_t **watchdog,
                                apr_pool_t *pconf) IDV_CHECKED;

/* Announces that WORK (idv_work_t flags) was committed. Never blocks, makes a
 * system call only if the watchdog is not already awake for it, and accepts a
 * NULL watchdog (other nodes' polls then find the work). */
void idv_watchdog_wake(idv_watchdog_t *watchdog, unsigned work);

/* The channel for captcha checks. */
const idv_captcha_channel_t *
idv_watchdog_captcha_channel(const idv_watchdog_t *watchdog);

/* The descriptor of the channel for spans (worker/process/span_channel.h); -1:
 * none are recorded. */
int idv_watchdog_span_channel(const idv_watchdog_t *watchdog);

/* The shared counters. */
idv_statistics_t *idv_watchdog_statistics(idv_watchdog_t *watchdog);

#endif
