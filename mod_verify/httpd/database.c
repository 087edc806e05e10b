/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/database.h"

#include <stdatomic.h>

#include <apr_dbd.h>
#include <apr_strings.h>
#include <http_log.h>
#include <libpq-fe.h>

#include <mod_dbd.h>

#include "httpd/configuration.h"
#include "httpd/counters.h"
#include "store/connection_share.h"
#include "store/conninfo.h"
#include "store/database_check.h"

APLOG_USE_MODULE(verify);

#define RECONNECT_RETRY_AFTER_SECONDS 2
#define UNFIT_RETRY_AFTER_SECONDS 30
/* Limits of one statement, unless VerifyDatabase sets `options` itself. Plans
 * are kept: a page's limit that is a parameter makes PostgreSQL plan each time
 * otherwise, for longer than it reads. */
#define SESSION_OPTIONS                                                        \
    "-c statement_timeout=15s -c lock_timeout=10s "                            \
    "-c idle_in_transaction_session_timeout=30s "                              \
    "-c plan_cache_mode=force_generic_plan"

typedef struct pool_t pool_t;

/* A connection in use. It belongs to the thread that opened it, from there to its
 * end: who closes finds it through its own connection, nobody looks through the
 * leases of others, and so no lock guards it. What threads share is the place,
 * which the share of connections guards itself. */
typedef struct {
    pool_t *self;
    apr_pool_t *pool; /* takes it back at the latest */
    idv_connection_place_t place;
    ap_dbd_t *connection; /* NULL until it is connected, as is the next */
    idv_db_t *db;
} lease_t;

struct pool_t {
    server_rec *server;
    idv_connection_limits_t limits;
    idv_connection_share_t *share;
    const idv_keyring_t *keys;
    atomic_int is_fit; /* the database; see database_check.h */
    atomic_int fault_logged;
    APR_OPTIONAL_FN_TYPE(ap_dbd_open) * dbd_open;
    APR_OPTIONAL_FN_TYPE(ap_dbd_close) * dbd_close;
};

/* --- configuration --- */

/* What a child needs besides: nothing may wait for ever. */
static const idv_conninfo_preset_t presets[] = {
    {"connect_timeout", "5"},
    {"application_name", "mod_verify"},
    {"tcp_user_timeout", "20000"},
    {"keepalives_idle", "10"}, /* a host that is gone while we wait for it */
    {"keepalives_interval", "5"},
    {"options", SESSION_OPTIONS},
    {NULL, NULL},
};

/* Runs a directive of mod_dbd as if it stood beside ours. */
static const char *run_directive(server_rec *server, const char *name,
                                 const char *value,
                                 const ap_directive_t *origin,
                                 apr_pool_t *pconf)
{
    module *owner = ap_top_module;
    const command_rec *command = ap_find_command_in_modules(name, &owner);
    cmd_parms parameters = {0};

    if (!command)
        return "mod_dbd is not loaded";
    parameters.info = command->cmd_data;
    parameters.override = RSRC_CONF;
    parameters.pool = parameters.temp_pool = pconf;
    parameters.server = server;
    parameters.directive = (ap_directive_t *)origin;
    parameters.err_directive = origin;
    parameters.cmd = command;
    return command->args_how == FLAG
             ? command->AP_FLAG(&parameters, NULL, 1)
             : command->AP_TAKE1(&parameters, NULL, value);
}

/* The <VirtualHost> that a directive stands in, or NULL. */
static const ap_directive_t *host_of(const ap_directive_t *directive)
{
    while (directive
           && ap_cstr_casecmp(directive->directive, "<VirtualHost") != 0)
        directive = directive->parent;
    return directive;
}

/* A directive of mod_dbd that holds in HOST, of NODE and those after and below
 * it. Servers that say nothing about mod_dbd share its configuration, so what
 * the main server says counts as well. */
static const ap_directive_t *find_foreign(const ap_directive_t *node,
                                          const ap_directive_t *host)
{
    for (; node; node = node->next) {
        const ap_directive_t *found = find_foreign(node->first_child, host);

        if (found)
            return found;
        if (ap_cstr_casecmpn(node->directive, "DBD", 3) == 0
            && (!host_of(node) || host_of(node) == host))
            return node;
    }
    return NULL;
}

const char *idv_database_configure(server_rec *server,
                                   const idv_settings_t *settings,
                                   const ap_directive_t *origin,
                                   apr_pool_t *pconf)
{
    const char *connections = apr_itoa(pconf, settings->database_connections);
    const char *const directives[][2] = {
        {"DBDriver", "pgsql"},
        {"DBDParams",
         idv_conninfo_complete(settings->database, presets, pconf)},
        {"DBDPersist", NULL},
        {"DBDMin", connections},
        {"DBDKeep", connections},
        {"DBDMax", connections},
        {"DBDExptime", "0"},
    };

    const ap_directive_t *foreign = find_foreign(ap_conftree, host_of(origin));

    if (foreign)
        return apr_psprintf(pconf,
                            "configures mod_dbd, as does %s (%s:%d): put the "
                            "service and that into virtual hosts of their own",
                            foreign->directive, foreign->filename,
                            foreign->line_num);
    for (size_t i = 0; i < sizeof(directives) / sizeof(*directives); i++) {
        const char *fault = run_directive(server, directives[i][0],
                                          directives[i][1], origin, pconf);

        if (fault)
            return fault;
    }
    return NULL;
}

/* --- the schema --- */

static idv_error_t *check_database(pool_t *self, idv_db_t *db, apr_pool_t *pool)
{
    const char *fault;

    if (atomic_load(&self->is_fit))
        return NULL;
    IDV_TRY(idv_database_check(db, self->keys, &fault, pool));
    if (!fault) {
        atomic_store(&self->is_fit, 1);
        return NULL;
    }
    if (!atomic_exchange(&self->fault_logged, 1))
        ap_log_error(APLOG_MARK, APLOG_ERR, 0, self->server, "IDV0010: %s",
                     fault);
    return idv_error_unavailable(pool, UNFIT_RETRY_AFTER_SECONDS,
                                 "the database may not be used as it is");
}

/* --- the source --- */

static apr_status_t give_back(void *data)
{
    lease_t *lease = data;
    pool_t *self = lease->self;

    if (lease->db)
        idv_db_rollback(lease->db);
    if (lease->connection)
        self->dbd_close(self->server, lease->connection);
    idv_connection_share_leave(self->share, &lease->place);
    return APR_SUCCESS;
}

static idv_error_t *connect_lease(pool_t *self, lease_t *lease,
                                  apr_pool_t *pool)
{
    PGconn *native;

    lease->connection = self->dbd_open(pool, self->server);
    if (!lease->connection)
        return idv_error_unavailable(pool, RECONNECT_RETRY_AFTER_SECONDS,
                                     "mod_dbd has no connection");
    native = apr_dbd_native_handle(lease->connection->driver,
                                   lease->connection->handle);
    IDV_TRY(idv_db_attach(native, &lease->db, pool));
    idv_db_set_lease(lease->db, lease);
    if (idv_db_is_lost(lease->db)) {
        idv_count(database_reconnects);
        PQreset(native);
        if (PQstatus(native) != CONNECTION_OK)
            return idv_error_unavailable(pool, RECONNECT_RETRY_AFTER_SECONDS,
                                         "the connection to PostgreSQL is "
                                         "lost and does not come back");
    }
    return check_database(self, lease->db, pool);
}

static idv_error_t *admit(pool_t *self, const idv_db_claim_t *claim,
                          lease_t *lease, apr_pool_t *pool)
{
    int waited;
    idv_error_t *error = idv_connection_share_enter(
        self->share, claim, &lease->place, &waited, pool);

    if (waited)
        idv_count(database_waits);
    if (error && error->code == IDV_E_SERVICE_UNAVAILABLE)
        idv_count(database_timeouts);
    if (error && error->code == IDV_E_RATE_LIMIT_EXCEEDED)
        idv_count(searches_refused);
    return error;
}

static idv_error_t *source_open(const idv_db_source_t *source,
                                const idv_db_claim_t *claim, idv_db_t **db,
                                apr_pool_t *pool)
{
    pool_t *self = source->baton;
    lease_t *lease = apr_pcalloc(pool, sizeof(*lease));
    idv_error_t *error;

    *db = NULL;
    IDV_TRY(admit(self, claim, lease, pool));
    lease->self = self;
    lease->pool = pool;
    apr_pool_cleanup_register(pool, lease, give_back, apr_pool_cleanup_null);
    error = connect_lease(self, lease, pool);
    if (error) {
        apr_pool_cleanup_run(pool, lease, give_back);
        return error;
    }
    *db = lease->db;
    return NULL;
}

static void source_close(const idv_db_source_t *source, idv_db_t *db)
{
    lease_t *lease = idv_db_lease(db);

    (void)source;
    apr_pool_cleanup_run(lease->pool, lease, give_back);
}

const idv_db_source_t *idv_database_source(server_rec *server,
                                           const idv_settings_t *settings,
                                           const idv_keyring_t *keys,
                                           apr_pool_t *pool)
{
    idv_db_source_t *source = apr_pcalloc(pool, sizeof(*source));
    pool_t *self = apr_pcalloc(pool, sizeof(*self));

    self->server = server;
    self->keys = keys;
    self->limits = (idv_connection_limits_t){
        .places = settings->database_connections,
        .of_owner = settings->database_share,
        .wait = apr_time_from_msec(settings->database_wait),
    };
    source->open = source_open;
    source->close = source_close;
    source->baton = self;
    return source;
}

idv_error_t *idv_database_child_init(const idv_db_source_t *source,
                                     apr_pool_t *pchild)
{
    pool_t *self = source->baton;

    IDV_TRY(idv_connection_share_create(&self->limits, &self->share, pchild));
    self->dbd_open = APR_RETRIEVE_OPTIONAL_FN(ap_dbd_open);
    self->dbd_close = APR_RETRIEVE_OPTIONAL_FN(ap_dbd_close);
    if (!self->dbd_open || !self->dbd_close)
        return idv_error_internal(pchild, "mod_dbd is not loaded");
    return NULL;
}
