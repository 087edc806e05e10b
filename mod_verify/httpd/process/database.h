/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_PROCESS_DATABASE_H
#define IDV_HTTPD_PROCESS_DATABASE_H

/*
 * The database connections of an httpd child: a separate pool of apr_dbd
 * connections (apr_reslist), so that nothing is shared with other users of
 * mod_dbd.
 *
 * All connections are opened when a child starts, and kept. The pool admits as
 * many threads as there are connections, each organization with its share of
 * them (store/db/connection_share.h), and lets the others wait for a bounded
 * time. Before a connection is used, its socket is checked; if the server has
 * closed it, the pool reconnects. A transaction left open is rolled back, and a
 * connection that was not given back returns with the request's pool.
 *
 * While the database is down, each request gets `service_unavailable` without
 * its own log line: the first thread that notices the outage logs it for all
 * children of the node, and the first that reconnects logs that. A database
 * that this node must not work with (store/db/schema.h) is
 * `service_unavailable` as well, with one log line per child.
 *
 * Threads: open and close may be called from all threads of a child. Memory: of
 * the configuration in the parent, of the child in a child. Failures:
 * `service_unavailable`.
 */
#include <httpd.h>

#include "core/keyring.h"
#include "core/settings.h"
#include "store/db/db.h"

/* Checks that apr_dbd's driver is installed, for check_config: the name of the
 * missing part, or NULL. */
const char *idv_database_driver_fault(apr_pool_t *pconf);

/* The source for all servers in service, in PCONF; SERVER is the first of them.
 * It opens nothing before idv_database_child_init(). For post_config. */
idv_error_t *idv_database_source(server_rec *server,
                                 const idv_settings_t *settings,
                                 const idv_keyring_t *keys,
                                 const idv_db_source_t **source,
                                 apr_pool_t *pconf) IDV_CHECKED;

/* Prepares SOURCE in a child, and connects if the database answers. */
idv_error_t *idv_database_child_init(const idv_db_source_t *source,
                                     apr_pool_t *pchild) IDV_CHECKED;

#endif
