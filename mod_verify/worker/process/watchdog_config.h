/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_WATCHDOG_CONFIG_H
#define IDV_WORKER_PROCESS_WATCHDOG_CONFIG_H

/*
 * Data from the parent for the watchdog and all of its parts: the directives,
 * the kinds of work, and the process ids of departing watchdogs.
 * worker/watchdog/watchdog.h starts the watchdog with it.
 */
#include <stdatomic.h>

#include <openssl/types.h>

#include "core/clock.h"
#include "core/keyring.h"
#include "domain/gate/gate.h"
#include "domain/law/compliance_rules.h"
#include "domain/risk/risk.h"
#include "out/mail_client.h"

/* The captcha provider. */
typedef struct {
    const char *url;
    const char *secret;
    const char *ca_file; /* PEM; NULL: the system's authorities */
    idv_time_t timeout;  /* of the whole exchange */
} idv_captcha_config_t;

/* An external liveness provider, see worker/method/liveness_provider.h. */
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
    const char *trace_collector; /* URL that takes OTLP; NULL: no traces */
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

#endif
