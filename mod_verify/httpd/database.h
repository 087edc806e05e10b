/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_DATABASE_H
#define IDV_HTTPD_DATABASE_H

/*
 * The database connections of an httpd child: mod_dbd's pool, made safe.
 *
 * mod_dbd waits without end for a free connection, hands out dead ones, and
 * takes back open transactions. This source admits no more threads than there
 * are connections, each organization's with its share of them
 * (store/connection_share.h), and lets the others wait for a bounded time; it
 * looks at the
 * socket of a connection before it is used and reconnects when the server has
 * closed it; it rolls back what was left open; and it takes back with the pool
 * what was not given back. A database that this
 * node may not work with (store/database_check.h) is `service_unavailable`, with
 * one line in the log of each child.
 *
 * Threads: open and close may be called from all threads of a child.
 */
#include <httpd.h>
#include <http_config.h>

#include "core/settings.h"
#include "store/db.h"

/* Configures mod_dbd for SERVER, the first in service, as its settings say; for
 * check_config. The result is what is wrong, or NULL. */
const char *idv_database_configure(server_rec *server,
                                   const idv_settings_t *settings,
                                   const ap_directive_t *origin,
                                   apr_pool_t *pconf);

/* The source of all servers in service, in POOL; SERVER is the first of them. It
 * opens nothing before idv_database_child_init(). */
const idv_db_source_t *idv_database_source(server_rec *server,
                                           const idv_settings_t *settings,
                                           const idv_keyring_t *keys,
                                           apr_pool_t *pool);

/* Readies SOURCE in a child. */
idv_error_t *idv_database_child_init(const idv_db_source_t *source,
                                     apr_pool_t *pchild) IDV_CHECKED;

#endif
