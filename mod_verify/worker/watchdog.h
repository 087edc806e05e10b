/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_H
#define IDV_WORKER_WATCHDOG_H

/*
 * The watchdog as seen by httpd's parent and children: one process next to the
 * children for work that no request should wait for. It delivers webhooks,
 * sends e-mail, runs timers, asks the captcha provider, and has submissions
 * analysed, all in one event loop. worker/watchdog_process.h has its inside.
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
 * continues as departing, next to its successor, for VerifyReloadGrace at most.
 * At most IDV_DEPARTING_MAX depart at a time; a further one is ended as in a
 * stop the death of the watchdog the parent starts another one the death of the
 * parent   the watchdog exits
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
 * configuration's pool, except for what generations share (worker/retained.h).
 * Failures: only the start can fail; later failures are logged.
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

/* An external liveness provider, see worker/liveness_provider.h. */
typedef struct {
    const char *url, *name;
    const char *ca_file;          /* PEM; NULL: the system's authorities */
    idv_bytes_t certificate, key; /* PEM, of this service */
    EVP_PKEY *signer;             /* public key of the answers' signer */
    idv_time_t timeout;           /* of the whole exchange */
} idv_liveness_provider_config_t;

/* Values of the directives; the defaults are in core/settings.def. The
 * structure is copied; what it points to must live as long as the configuration
 * pool. */
typedef struct {
    const char *conninfo;      /* libpq connection string; required */
    const idv_keyring_t *keys; /* required */
    /* VerifyWebhookAllow: array of idv_address_range_t, or NULL. */
    const apr_array_header_t *webhook_allow;
    const char *webhook_ca_file; /* PEM trusted for receivers; NULL: system's */
    int webhook_in_flight;       /* maximum concurrent deliveries, all
                                  * endpoints */
    int webhook_endpoint_in_flight; /* maximum concurrent deliveries per
                                     * endpoint */
    const char *analyze_program;    /* path of verify-analyze; NULL: none */
    const char *analyze_models;     /* its directory of models, or NULL */
    int accept_test_issuers;        /* also for live organizations */
    const idv_captcha_config_t *captcha; /* NULL: captchas are not checked */
    /* External liveness provider; NULL: none. */
    const idv_liveness_provider_config_t *liveness_provider;
    const idv_mail_client_config_t *mail;     /* NULL: no e-mail is sent */
    const idv_risk_policy_t *risk_policy;     /* NULL: no passive checks */
    const idv_compliance_rules_t *compliance; /* NULL: no rules */
    /* Gates of all servers: array of idv_gate_target_t; NULL: none. */
    const apr_array_header_t *gates;
    idv_time_t reload_grace;      /* for running exchanges; 0: as in a stop */
    idv_time_t session_retention; /* after their end; 0: forever */
    idv_time_t credential_retention; /* after their end; 0: forever */
    idv_time_t event_retention;
    idv_time_t recovery_retention;
    idv_time_t risk_retention;
    idv_time_t sighting_retention; /* of documents; 0: not stored */
    idv_time_t idempotency_retention;
} idv_watchdog_config_t;

/* Kinds of work that a request can produce. */
typedef enum {
    IDV_WORK_DELIVERIES = 1,
    IDV_WORK_ANALYSES = 2,
    IDV_WORK_MAIL = 4,
    IDV_WORK_REPLAYS = 8
} idv_work_t;

/* Process ids of the departing watchdogs, 0: unused; shared by all processes of
 * the server, written by the parent. */
#define IDV_DEPARTING_MAX 4

typedef struct {
    atomic_int pids[IDV_DEPARTING_MAX];
} idv_departing_t;

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

/* The shared counters. */
idv_statistics_t *idv_watchdog_statistics(idv_watchdog_t *watchdog);

#endif
