/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_CONNECTION_H
#define IDV_STORE_DB_DB_CONNECTION_H

/*
 * Connections to PostgreSQL: connection strings, sources of connections, and
 * health checks.
 *
 * Connections come from an idv_db_source_t: a pool of apr_dbd connections in
 * httpd's children, a dedicated connection in the watchdog and in verifyctl.
 * store/db/db.h runs statements on them.
 *
 * Connection strings are completed with defaults for what the administrator
 * left open, so that nothing waits forever for a database that does not
 * respond. They also pin the settings that statements depend on, such as
 * client_encoding and search_path, against the database, the role and the
 * environment (PGOPTIONS, PGCLIENTENCODING). A pooler may drop startup options
 * (conf/manual/database.md); idv_database_check() of store/db/schema.h detects
 * that.
 *
 * Errors: an unreachable database is `service_unavailable` with Retry-After.
 * Messages contain no password.
 *
 * Threads: one thread per connection at a time; the functions for connection
 * strings are pure. Memory: an idv_db_t lives in its creation pool, which may
 * be shorter-lived than the native connection.
 */
#include <libpq-fe.h>

#include "core/error.h"

/* --- connection strings --- */

/* A libpq keyword (PostgreSQL, "Parameter Key Words") and its value. */
typedef struct {
    const char *keyword;
    const char *value;
} idv_conninfo_preset_t;

/* CONNINFO ("keyword=value ..." or a postgresql:// URI) as keywords and values,
 * plus those of PRESETS that it does not set; PRESETS ends with a NULL keyword.
 * The pinned settings are always added, before the `options` of the string or
 * of PRESETS. A malformed string is returned unchanged. */
const char *idv_conninfo_complete(const char *conninfo,
                                  const idv_conninfo_preset_t *presets,
                                  apr_pool_t *pool);

/* What is wrong with CONNINFO, or NULL. A password file readable by others is a
 * fault, because libpq would ignore it. Nothing is quoted from a string that
 * may contain a password, although libpq's own messages do. */
const char *idv_conninfo_fault(const char *conninfo, apr_pool_t *pool);

/* A libpq message, possibly of several lines, as a single line. */
const char *idv_conninfo_message(const char *message, apr_pool_t *pool);

/* --- connections --- */

typedef struct idv_db_t idv_db_t;

/* The owner and purpose of a connection, see store/db/connection_share.h. */
typedef struct {
    const char *organization_id; /* NULL: the caller is not known yet */
    int is_search;
} idv_db_claim_t;

/* A source of connections. `open` waits at most the source's configured time,
 * then returns `service_unavailable`, or an error of
 * store/db/connection_share.h for CLAIM. `close` takes back any connection,
 * usable or not, and rolls back an open transaction. */
typedef struct idv_db_source_t idv_db_source_t;
struct idv_db_source_t {
    idv_error_t *(*open)(const idv_db_source_t *source,
                         const idv_db_claim_t *claim, idv_db_t **db,
                         apr_pool_t *pool)IDV_CHECKED;
    void (*close)(const idv_db_source_t *source, idv_db_t *db);
    void *baton;
};

/* Wraps CONNECTION, still owned by the caller, and prepares it: terse error
 * messages, the record of prepared statements. Cheap if done before. */
idv_error_t *idv_db_attach(PGconn *connection, idv_db_t **db,
                           apr_pool_t *pool) IDV_CHECKED;

/* Connects with CONNINFO (libpq's format); closed with POOL. */
idv_error_t *idv_db_connect(const char *conninfo, idv_db_t **db,
                            apr_pool_t *pool) IDV_CHECKED;

/* Private data of the connection's source, for its `close`. */
void idv_db_set_lease(idv_db_t *db, void *lease);
void *idv_db_lease(const idv_db_t *db);

/* The native handle, for waiting on its socket. */
PGconn *idv_db_native(idv_db_t *db);

/* Non-zero if the server has closed the connection; one poll of the socket, and
 * a round trip only if data has arrived. */
int idv_db_is_lost(idv_db_t *db);

/* One round trip each. Non-zero if the server responds correctly, and if
 * transactions on this connection can write. */
int idv_db_answers(idv_db_t *db);
int idv_db_takes_changes(idv_db_t *db);

#endif
