/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/process/database.h"

#include <stdatomic.h>

#include <apr_dbd.h>
#include <apr_reslist.h>
#include <http_log.h>
#include <libpq-fe.h>

#include "httpd/process/counters.h"
#include "store/db/connection_share.h"
#include "store/db/db_connection.h"
#include "store/db/schema.h"
#include "worker/process/retained.h"

APLOG_USE_MODULE(verify);

#define DRIVER "pgsql"
#define OUTAGE_VERSION 1 /* of the meaning of outage_t's members */
#define TELL_AGAIN IDV_MINUTE /* between log lines of two outages */
#define RECONNECT_RETRY_AFTER_SECONDS 2
#define UNFIT_RETRY_AFTER_SECONDS 30
#define LOOK_AGAIN (5 * IDV_SECOND) /* to check the database again */
/* Limits of a statement, unless VerifyDatabase sets `options` itself. Plans are
 * kept: with the limit of a page as a parameter, PostgreSQL would otherwise
 * plan each time, which takes longer than reading the page. */
#define SESSION_OPTIONS                                                        \
    "-c statement_timeout=15s -c lock_timeout=10s "                            \
    "-c idle_in_transaction_session_timeout=30s "                              \
    "-c plan_cache_mode=force_generic_plan"

typedef struct pool_t pool_t;

/* The state of the database as shared by all children of the node, so that one
 * of them logs an outage for all. If the database is repeatedly lost and found,
 * one outage a minute is logged. */
typedef struct {
    atomic_int is_away;
    atomic_int is_told;    /* the outage is logged, so its end will also be */
    atomic_llong told_at;  /* idv_time_steady(); 0: never */
} outage_t;

/* A connection of the pool. While acquired, it belongs to one thread. */
typedef struct {
    apr_pool_t *pool; /* of this connection only */
    apr_dbd_t *handle; /* NULL: not open */
} connection_t;

/* A connection in use. It belongs to the thread that opened it until that
 * thread closes it. The thread finds the lease through the connection, and no
 * thread looks at the leases of others, so they need no lock. Threads share
 * only the place, which store/db/connection_share.h guards itself. */
typedef struct {
    pool_t *self;
    apr_pool_t *pool; /* its end returns the connection at the latest */
    idv_connection_place_t place;
    connection_t *connection; /* NULL until acquired, like the next member */
    idv_db_t *db;
} lease_t;

struct pool_t {
    server_rec *server; /* for the log */
    const char *conninfo;
    idv_connection_limits_t limits;
    const idv_keyring_t *keys;
    outage_t *outage;
    const apr_dbd_driver_t *driver;
    /* The members below belong to a child, those above to the configuration. */
    idv_connection_share_t *share;
    apr_reslist_t *connections;
    atomic_llong fit_until; /* idv_time_steady(): when the database is checked
                             * again; see store/db/schema.h */
    atomic_int fault_logged;
};

/* --- configuration --- */

/* Added to VerifyDatabase so that no statement can wait indefinitely. */
static const idv_conninfo_preset_t presets[] = {
    {"connect_timeout", "5"},
    {"application_name", "mod_verify"},
    {"tcp_user_timeout", "20000"},
    {"keepalives_idle", "10"}, /* notice a host lost during a statement */
    {"keepalives_interval", "5"},
    {"options", SESSION_OPTIONS},
    {NULL, NULL},
};

/* Loads the driver once for the server process, like those of mod_dbd. */
static apr_status_t find_driver(const apr_dbd_driver_t **driver,
                                apr_pool_t *pconf)
{
    apr_status_t status = apr_dbd_init(pconf);

    return status == APR_SUCCESS ? apr_dbd_get_driver(pconf, DRIVER, driver)
                                 : status;
}

const char *idv_database_driver_fault(apr_pool_t *pconf)
{
    const apr_dbd_driver_t *driver;

    return find_driver(&driver, pconf) == APR_SUCCESS
             ? NULL
             : "needs apr_dbd's driver for PostgreSQL "
               "(Debian: libaprutil1-dbd-pgsql)";
}

/* --- outages --- */

/* Logs an outage, unless it is logged already or the last one was within a
 * minute. If several threads try, the one that sets the time logs it. */
static void note_outage(pool_t *self, const char *cause)
{
    outage_t *outage = self->outage;
    idv_time_t now = idv_time_steady();
    long long told_at;

    atomic_store(&outage->is_away, 1);
    if (atomic_load(&outage->is_told))
        return;
    told_at = atomic_load(&outage->told_at);
    if ((told_at && now - told_at < TELL_AGAIN)
        || !atomic_compare_exchange_strong(&outage->told_at, &told_at, now))
        return;
    atomic_store(&outage->is_told, 1);
    ap_log_error(APLOG_MARK, APLOG_ERR, 0, self->server,
                 "IDV0775: the database cannot be reached, requests are "
                 "answered with 503: %s",
                 cause);
}

static void note_return(pool_t *self)
{
    outage_t *outage = self->outage;

    if (!atomic_load(&outage->is_away)
        || !atomic_exchange(&outage->is_away, 0)
        || !atomic_exchange(&outage->is_told, 0))
        return;
    ap_log_error(APLOG_MARK, APLOG_NOTICE, 0, self->server,
                 "IDV0776: the database is back");
}

/* The error for a request while the database is unavailable. It has no detail,
 * because the log already gives the cause. */
static idv_error_t *unavailable(int retry_after, apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_SERVICE_UNAVAILABLE, pool);

    error->retry_after = retry_after;
    return error;
}

/* --- the schema --- */

/* When the time of the next check has come, the first thread to notice performs
 * it, so that the child soon seals with a new version of the master key. The
 * result applies to all threads from their next request. */
static idv_error_t *check_database(pool_t *self, idv_db_t *db, apr_pool_t *pool)
{
    long long until = atomic_load(&self->fit_until);
    idv_time_t now = idv_time_steady();
    const char *fault;
    idv_error_t *error;

    if (until > now
        || (until
            && !atomic_compare_exchange_strong(&self->fit_until, &until,
                                               now + LOOK_AGAIN)))
        return NULL;
    error = idv_database_check(db, self->keys, &fault, pool);
    atomic_store(&self->fit_until, error || fault ? 0 : now + LOOK_AGAIN);
    if (error || !fault) {
        if (!error)
            atomic_store(&self->fault_logged, 0);
        return error;
    }
    if (!atomic_exchange(&self->fault_logged, 1))
        ap_log_error(APLOG_MARK, APLOG_ERR, 0, self->server, "IDV0010: %s",
                     fault);
    return unavailable(UNFIT_RETRY_AFTER_SECONDS, pool);
}

/* --- connections --- */

/* Creates a closed connection. The thread that acquires it opens it, outside
 * the lock of the list. */
static apr_status_t create_connection(void **out, void *self, apr_pool_t *pool)
{
    connection_t *connection = apr_pcalloc(pool, sizeof(*connection));

    (void)self;
    *out = connection;
    return apr_pool_create(&connection->pool, pool);
}

/* Nothing to do: the list ends with its child, and its connections with pools
 * below the child's. */
static apr_status_t forget_connection(void *connection, void *self,
                                      apr_pool_t *pool)
{
    (void)connection;
    (void)self;
    (void)pool;
    return APR_SUCCESS;
}

typedef struct {
    const apr_dbd_driver_t *driver;
    apr_dbd_t *handle;
} opened_t;

static apr_status_t close_handle(void *data)
{
    const opened_t *opened = data;

    apr_dbd_close(opened->driver, opened->handle);
    return APR_SUCCESS;
}

static idv_error_t *open_handle(pool_t *self, connection_t *connection,
                                apr_pool_t *pool)
{
    const char *fault = "";
    opened_t *opened;

    if (apr_dbd_open_ex(self->driver, connection->pool, self->conninfo,
                        &connection->handle, &fault)
        != APR_SUCCESS) {
        connection->handle = NULL;
        note_outage(self, idv_conninfo_message(fault, pool));
        apr_pool_clear(connection->pool);
        return unavailable(RECONNECT_RETRY_AFTER_SECONDS, pool);
    }
    opened = apr_palloc(connection->pool, sizeof(*opened));
    *opened = (opened_t){self->driver, connection->handle};
    apr_pool_cleanup_register(connection->pool, opened, close_handle,
                              apr_pool_cleanup_null);
    return NULL;
}

static PGconn *native_of(const pool_t *self, const connection_t *connection)
{
    return apr_dbd_native_handle(self->driver, connection->handle);
}

static idv_error_t *reset(pool_t *self, PGconn *native, apr_pool_t *pool)
{
    idv_count(database_reconnects);
    PQreset(native);
    if (PQstatus(native) == CONNECTION_OK)
        return NULL;
    note_outage(self, idv_conninfo_message(PQerrorMessage(native), pool));
    return unavailable(RECONNECT_RETRY_AFTER_SECONDS, pool);
}

/* --- the source --- */

static apr_status_t give_back(void *data)
{
    lease_t *lease = data;
    pool_t *self = lease->self;

    if (lease->db)
        idv_db_rollback(lease->db);
    if (lease->connection)
        apr_reslist_release(self->connections, lease->connection);
    idv_connection_share_leave(self->share, &lease->place);
    return APR_SUCCESS;
}

static idv_error_t *connect_lease(pool_t *self, lease_t *lease,
                                  apr_pool_t *pool)
{
    void *connection;
    PGconn *native;
    apr_status_t status = apr_reslist_acquire(self->connections, &connection);

    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "acquiring a connection");
    lease->connection = connection;
    if (!lease->connection->handle)
        IDV_TRY(open_handle(self, lease->connection, pool));
    native = native_of(self, lease->connection);
    IDV_TRY(idv_db_attach(native, &lease->db, pool));
    idv_db_set_lease(lease->db, lease);
    if (idv_db_is_lost(lease->db))
        IDV_TRY(reset(self, native, pool));
    note_return(self);
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

idv_error_t *idv_database_source(server_rec *server,
                                 const idv_settings_t *settings,
                                 const idv_keyring_t *keys,
                                 const idv_db_source_t **out,
                                 apr_pool_t *pconf)
{
    idv_db_source_t *source = apr_pcalloc(pconf, sizeof(*source));
    pool_t *self = apr_pcalloc(pconf, sizeof(*self));
    apr_status_t status = find_driver(&self->driver, pconf);
    void *outage;

    if (status != APR_SUCCESS)
        return idv_error_apr(pconf, status, "apr_dbd's driver " DRIVER);
    IDV_TRY(idv_retained_memory("outage", OUTAGE_VERSION, sizeof(outage_t),
                                &outage, pconf));
    self->outage = outage;
    self->server = server;
    self->conninfo = idv_conninfo_complete(settings->database, presets, pconf);
    self->keys = keys;
    self->limits = (idv_connection_limits_t){
        .places = settings->database_connections,
        .of_owner = settings->database_share,
        .wait = apr_time_from_msec(settings->database_wait),
    };
    source->open = source_open;
    source->close = source_close;
    source->baton = self;
    *out = source;
    return NULL;
}

/* Opens all connections while no request is waiting for them. If one cannot be
 * opened, the request that needs it will report that. */
static void open_all(pool_t *self, apr_pool_t *pool)
{
    int places = self->limits.places, acquired = 0, failed = 0;
    void **connections = apr_pcalloc(pool, sizeof(void *) * (apr_size_t)places);

    while (acquired < places && !failed
           && apr_reslist_acquire(self->connections, &connections[acquired])
                  == APR_SUCCESS)
        failed = open_handle(self, connections[acquired++], pool) != NULL;
    while (acquired > 0)
        apr_reslist_release(self->connections, connections[--acquired]);
}

idv_error_t *idv_database_child_init(const idv_db_source_t *source,
                                     apr_pool_t *pchild)
{
    pool_t *self = source->baton;
    int places = self->limits.places;
    apr_pool_t *scratch;
    apr_status_t status;

    IDV_TRY(idv_connection_share_create(&self->limits, &self->share, pchild));
    status = apr_reslist_create(&self->connections, places, places, places, 0,
                                create_connection, forget_connection, self,
                                pchild);
    if (status != APR_SUCCESS)
        return idv_error_apr(pchild, status, "preparing connections");
    apr_pool_create(&scratch, pchild);
    open_all(self, scratch);
    apr_pool_destroy(scratch);
    return NULL;
}
