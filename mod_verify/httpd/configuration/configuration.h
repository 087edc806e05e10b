/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CONFIGURATION_CONFIGURATION_H
#define IDV_HTTPD_CONFIGURATION_CONFIGURATION_H

/*
 * The configuration of a server, set by its directives
 * (httpd/start/directives.h).
 *
 * core/settings.def lists them. All are allowed in the server configuration and
 * in virtual hosts, none in directories or .htaccess. A virtual host inherits
 * what it does not set itself. Words are checked when they are read, so that
 * httpd names file and line. httpd/start/configuration_check.h checks what
 * needs the file system or several directives.
 *
 * A server whose configuration names a database is "in service". All servers in
 * service use the same database and the same master key.
 *
 * Threads: written in the parent, before there are children, and by
 * httpd/start/service.c before a child's first request; only read after that.
 * Memory: the pool of the configuration; additions of a child live in the
 * child's pool. Failures: a fault ends `httpd -t` and the start, with a log
 * line that names the place; a configuration that has passed is complete.
 */
#include <ap_expr.h>
#include <httpd.h>
#include <http_config.h>
#include <maxminddb.h>

#include "api/http/request.h"
#include "httpd/process/key_cache.h"
#include "worker/watchdog/watchdog.h"

/* The module record, mod_verify.c. */
extern module AP_MODULE_DECLARE_DATA verify_module;

enum {
#define IDV_TEXT(directive, member, preset, check, help) IDV_AT_##member,
#define IDV_NUMBER(directive, member, preset, minimum, maximum, help)          \
    IDV_AT_##member,
#define IDV_FLAG(directive, member, preset, help) IDV_AT_##member,
#define IDV_LIST(directive, member, check, help) IDV_AT_##member,
#define IDV_RATES(directive, secret, preset, publishable, other_preset, help)  \
    IDV_AT_##secret, IDV_AT_##publishable,
#define IDV_PAIR(directive, first, second, check, help) IDV_AT_##first,
#define IDV_RULES(directive, member, read, help) IDV_AT_##member,
#include "core/settings.def"
    IDV_SETTING_COUNT
};

typedef struct {
    idv_settings_t settings;
    /* The directive that set each; NULL: it has its default. */
    const ap_directive_t *origins[IDV_SETTING_COUNT];
    /* Made by idv_configuration_check(), httpd/start/configuration_check.h. */
    idv_keyring_t *keyring; /* NULL: not in service */
    MMDB_s *geo_database;   /* NULL: none */
    MMDB_s *anonymizers;    /* NULL: none */
    const idv_risk_data_t *risk;
    const idv_compliance_rules_t *compliance; /* NULL: no rules */
    const char *captcha_secret; /* NULL: creation requires no captcha */
    const char *smtp_password;  /* NULL: no SMTP login */
    const ap_expr_info_t *operator_name; /* NULL: the login name */
    /* NULL: no external provider of liveness checks. */
    const idv_liveness_provider_config_t *liveness_provider;
    idv_services_t services;
    idv_key_cache_t *key_cache; /* of a child; shared by all its servers */
    /* Settings of its sections about gates, httpd/gate/gate_configuration.h;
     * NULL: none. Not merged. */
    apr_array_header_t *gate_mentions;
} idv_configuration_t;

/* For the module record. */
void *idv_configuration_create(apr_pool_t *pool, server_rec *server);
void *idv_configuration_merge(apr_pool_t *pool, void *base, void *overlay);

/* The configuration of SERVER; never NULL. */
idv_configuration_t *idv_configuration_of(const server_rec *server);

/* Non-zero if SERVER is in service. */
int idv_configuration_in_service(const server_rec *server);

#endif
