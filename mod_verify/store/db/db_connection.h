/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_CONNECTION_H
#define IDV_STORE_DB_DB_CONNECTION_H

/*
 * Connections to PostgreSQL: the strings that describe one, where connections
 * come from, and whether one still stands.
 *
 * Connections come from an idv_db_source_t: a pool of apr_dbd's in the httpd
 * children, a connection of its own in the watchdog and in verifyctl. What runs
 * on one is the matter of store/db/db.h.
 *
 * Connection strings are completed by what an administrator left open, so that
 * nothing waits without end for a database that does not answer. They also pin
 * the settings that statements depend on, such as client_encoding and
 * search_path: neither the database, nor the role, nor the environment of the
 * process (PGOPTIONS, PGCLIENTENCODING) decides them. A pooler may drop the
 * startup options (conf/manual/database.md); idv_database_check()
 * of store/db/schema.h finds what is wrong then.
 *
 * Errors: a database that cannot be reached is `service_unavailable` with
 * Retry-After. Messages hold no password.
 *
 * Threads: one thread per connection at a time; the functions of connection
 * strings are pure. Memory: an idv_db_t lives in the pool that it was made
 * with, which may be shorter-lived than the native connection.
 */
#include <libpq-fe.h>

#include "core/error.h"

/* --- connection strings --- */

/* One keyword of libpq (PostgreSQL, "Parameter Key Words") and its value. */
typedef struct {
    const char *keyword;
    const char *value;
} idv_conninfo_preset_t;

/* CONNINFO, "keyword=value ..." or a postgresql:// URI, as keywords and values,
 * with those of PRESETS that it does not set itself; PRESETS ends with a NULL
 * keyword. The pinned settings are added in any case, before the `options` of
 * the string or of PRESETS. A malformed string comes back as it is. */
const char *idv_conninfo_complete(const char *conninfo,
                                  const idv_conninfo_preset_t *presets,
                                  apr_pool_t *pool);

/* What is wrong with CONNINFO, or NULL. A password file that others can read is
 * wrong, because libpq would pass over it. libpq quotes the words that it
 * stumbles over; of a string that may hold a password nothing is quoted. */
const char *idv_conninfo_fault(const char *conninfo, apr_pool_t *pool);

/* A message of libpq, which may have several lines, in one. */
const char *idv_conninfo_message(const char *message, apr_pool_t *pool);

/* --- connections --- */

typedef struct idv_db_t idv_db_t;

/* For whom and for what a connection is wanted; see
 * store/db/connection_share.h. */
typedef struct {
    const char *organization_id; /* NULL: before it is known who asks */
    int is_search;
} idv_db_claim_t;

/* Where connections come from. `open` waits at most as long as the source was
 * configured to, and gives `service_unavailable` after that, or what
 * store/db/connection_share.h says of CLAIM; `close` takes any connection back,
 * usable or not, and rolls back what is open on it. */
typedef struct idv_db_source_t idv_db_source_t;
struct idv_db_source_t {
    idv_error_t *(*open)(const idv_db_source_t *source,
                         const idv_db_claim_t *claim, idv_db_t **db,
                         apr_pool_t *pool)IDV_CHECKED;
    void (*close)(const idv_db_source_t *source, idv_db_t *db);
    void *baton;
};

/* Wraps CONNECTION, which the caller keeps owning, and readies it: terse error
 * messages, the record of prepared statements. Cheap when done before. */
idv_error_t *idv_db_attach(PGconn *connection, idv_db_t **db,
                           apr_pool_t *pool) IDV_CHECKED;

/* Connects by CONNINFO (libpq's form); closed with POOL. */
idv_error_t *idv_db_connect(const char *conninfo, idv_db_t **db,
                            apr_pool_t *pool) IDV_CHECKED;

/* What the source of a connection remembers with it, for its `close`. */
void idv_db_set_lease(idv_db_t *db, void *lease);
void *idv_db_lease(const idv_db_t *db);

/* The native handle, for those who wait on its socket. */
PGconn *idv_db_native(idv_db_t *db);

/* Non-zero when the server has closed the connection meanwhile; one poll of
 * the socket, and a round trip only when something arrived. */
int idv_db_is_lost(idv_db_t *db);

/* One round trip each; non-zero when the server answered as it should, and when
 * transactions on this connection may also write. */
int idv_db_answers(idv_db_t *db);
int idv_db_takes_changes(idv_db_t *db);

#endif
