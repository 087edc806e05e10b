/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_H
#define IDV_WORKER_WATCHDOG_H

/*
 * The watchdog, as httpd's parent and children see it: one process beside the
 * children that does what no request should wait for. It delivers webhooks,
 * sends e-mail, fires timers, asks the captcha provider, and has submissions
 * analysed, all in one event loop. worker/watchdog_process.h is the same
 * process from inside.
 *
 * Its life. httpd's parent forks it in post_config, after everything it needs
 * has been read, and again whenever it dies: at once when it has lived for ten
 * seconds or dies for the first time, else with a pause that doubles up to half
 * a minute. The new process drops privileges, closes the listeners, and has its
 * own pool, allocator, signal handlers and database connection.
 *
 * Its end. What the parent does with the watchdog follows from why:
 *
 *   a stop, or a restart      SIGTERM; the parent waits for the end, five
 *   that is not graceful      seconds at most, and kills it then
 *   a graceful restart        IDV_WATCHDOG_DEPART; the parent waits for half a
 *   (reload)                  second; a process with exchanges under way goes
 *                             on, departing, beside its successor, for
 *                             VerifyReloadGrace at most. At most
 *                             IDV_DEPARTING_MAX depart at a time; one more is
 *                             ended as at a stop
 *   the death of the watchdog the parent starts another one
 *   the death of the parent   the watchdog ends by itself
 *
 * An end with another status than 0 is logged in each case. The successor has
 * the new configuration; children of the old generation wake the successor, as
 * the wake-up channel belongs to the server process and not to a generation.
 *
 * Truth is in the database alone. Whatever the watchdog works on is leased:
 * after kill -9 the next watchdog of the same server process takes it over at
 * once, another node when the lease ends; what a departing one works on is left
 * to it until it has gone.
 *
 * Threads: idv_watchdog_wake() and the statistics may be used by every thread
 * of every child. The rest belongs to the parent at start-up. Memory: of the
 * configuration's pool, but for what generations share (worker/retained.h).
 * Failures: only the start can fail; later ones are logged.
 */
#include <httpd.h>
#include <openssl/types.h>

#include "core/clock.h"
#include "core/keyring.h"
#include "domain/gate/gate.h"
#include "domain/law/compliance_rules.h"
#include "domain/risk/risk.h"
#include "out/mail_client.h"
#include "worker/captcha_check.h"
#include "worker/statistics.h"

/* The captcha provider. */
typedef struct {
    const char *url;
    const char *secret;
    const char *ca_file; /* PEM; NULL: the system's authorities */
    idv_time_t timeout;  /* of the whole exchange */
} idv_captcha_config_t;

/* A provider that looks at liveness challenges; worker/liveness_provider.h. */
typedef struct {
    const char *url, *name;
    const char *ca_file;          /* PEM; NULL: the system's authorities */
    idv_bytes_t certificate, key; /* PEM, of this service */
    EVP_PKEY *signer;             /* of answers; public */
    idv_time_t timeout;           /* of the whole exchange */
} idv_liveness_provider_config_t;

/* What the directives say, whose defaults are in core/settings.def. The
 * structure is copied; what it points to has to live as long as the
 * configuration pool. */
typedef struct {
    const char *conninfo;      /* libpq connection string; required */
    const idv_keyring_t *keys; /* required */
    /* VerifyWebhookAllow: array of idv_address_range_t, or NULL. */
    const apr_array_header_t *webhook_allow;
    const char *webhook_ca_file; /* PEM trusted for receivers; NULL: system's */
    int webhook_in_flight;       /* deliveries at once, of all endpoints */
    int webhook_endpoint_in_flight; /* deliveries at once to one endpoint */
    const char *analyze_program;    /* path of verify-analyze; NULL: none */
    const char *analyze_models;     /* its directory of models, or NULL */
    int accept_test_issuers;        /* also for live organizations */
    const idv_captcha_config_t *captcha; /* NULL: none are checked */
    /* Who looks at liveness challenges, too; NULL: nobody. */
    const idv_liveness_provider_config_t *liveness_provider;
    const idv_mail_client_config_t *mail; /* NULL: no e-mail is sent */
    const idv_risk_policy_t *risk_policy; /* NULL: no passive checks are run */
    const idv_compliance_rules_t *compliance; /* NULL: no rules */
    /* Of all servers: array of idv_gate_target_t; NULL: none. */
    const apr_array_header_t *gates;
    idv_time_t reload_grace; /* for exchanges under way; 0: as at a stop */
    idv_time_t session_retention; /* after their end; 0: for ever */
    idv_time_t credential_retention; /* likewise */
    idv_time_t event_retention;
    idv_time_t recovery_retention;
    idv_time_t risk_retention;
    idv_time_t sighting_retention; /* of documents; 0: none is remembered */
    idv_time_t idempotency_retention;
} idv_watchdog_config_t;

/* Kinds of work that a request can leave behind. */
typedef enum {
    IDV_WORK_DELIVERIES = 1,
    IDV_WORK_ANALYSES = 2,
    IDV_WORK_MAIL = 4,
    IDV_WORK_REPLAYS = 8
} idv_work_t;

/* Process ids of the watchdogs that depart, 0: a free place; shared by all
 * processes of the server, written by the parent. */
#define IDV_DEPARTING_MAX 4

typedef struct {
    atomic_int pids[IDV_DEPARTING_MAX];
} idv_departing_t;

/* The channel between children and watchdog; its substance is one for each
 * server process, the structure one for each configuration. */
typedef struct idv_watchdog_t idv_watchdog_t;

/* Starts the watchdog; call it in post_config, but not in the first of the two
 * passes at server start (AP_SQ_MS_CREATE_PRE_CONFIG). Opens no connection in
 * the parent. The result lives in PCONF. */
idv_error_t *idv_watchdog_start(const idv_watchdog_config_t *config,
                                server_rec *server, idv_watchdog_t **watchdog,
                                apr_pool_t *pconf) IDV_CHECKED;

/* Says that WORK (any of idv_work_t, or-ed) was committed. Never blocks, costs
 * a system call only when the watchdog is not already awake for it, and may be
 * called with a NULL watchdog (then other nodes' polls find the work). */
void idv_watchdog_wake(idv_watchdog_t *watchdog, unsigned work);

/* Where captcha checks are asked for. */
const idv_captcha_channel_t *
idv_watchdog_captcha_channel(const idv_watchdog_t *watchdog);

/* The shared counters. */
idv_statistics_t *idv_watchdog_statistics(idv_watchdog_t *watchdog);

#endif
