/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_DATABASE_H
#define IDV_HTTPD_DATABASE_H

/*
 * The database connections of an httpd child: a pool of apr_dbd connections
 * (apr_reslist) of the service's own, so that nobody else's use of mod_dbd has
 * a part in it.
 *
 * All connections are opened when a child starts and kept. This source admits
 * no more threads than there are connections, each organization's with its
 * share of them (store/connection_share.h), and lets the others wait for a
 * bounded time; it looks at the socket of a connection before it is used and
 * reconnects when the server has closed it; it rolls back what was left open;
 * and it takes back with the pool what was not given back.
 *
 * While the database is away each request gets `service_unavailable`, without a
 * line of its own: the first that notices says so for all children of the node,
 * and the first that has it back says that, too. A database that this node may
 * not work with (store/schema.h) is `service_unavailable` as well, with
 * one line in the log of each child.
 *
 * Threads: open and close may be called from all threads of a child.
 */
#include <httpd.h>

#include "core/settings.h"
#include "store/db.h"

/* Whether apr_dbd's driver is installed, for check_config: what is missing, or
 * NULL. */
const char *idv_database_driver_fault(apr_pool_t *pconf);

/* The source of all servers in service, in PCONF; SERVER is the first of them.
 * It opens nothing before idv_database_child_init(). For post_config. */
idv_error_t *idv_database_source(server_rec *server,
                                 const idv_settings_t *settings,
                                 const idv_keyring_t *keys,
                                 const idv_db_source_t **source,
                                 apr_pool_t *pconf) IDV_CHECKED;

/* Readies SOURCE in a child: connects, where the database answers. */
idv_error_t *idv_database_child_init(const idv_db_source_t *source,
                                     apr_pool_t *pchild) IDV_CHECKED;

#endif
