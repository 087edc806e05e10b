/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_DATABASE_H
#define IDV_HTTPD_DATABASE_H

/*
 * The database connections of an httpd child: a pool of apr_dbd connections
 * (apr_reslist) of the service's own, so that it shares nothing with other
 * users of mod_dbd.
 *
 * All connections are opened when a child starts, and kept. The pool admits no
 * more threads than there are connections, each organization's with its share
 * of them (store/db/connection_share.h), and lets the others wait for a bounded
 * time. It looks at the socket of a connection before it is used, and
 * reconnects when the server has closed it. It rolls a transaction back that
 * was left open, and takes a connection back with the request's pool when it
 * was not given back.
 *
 * While the database is away each request gets `service_unavailable`, without a
 * line of its own in the log: the first thread that notices the outage logs it
 * for all children of the node, and the first that has the database back logs
 * that, too. A database that this node may not work with
 * (store/db/schema.h) is `service_unavailable` as well, with one line in
 * the log of each child.
 *
 * Threads: open and close may be called from all threads of a child. Memory: of
 * the configuration in the parent, of the child in a child. Failures:
 * `service_unavailable`.
 */
#include <httpd.h>

#include "core/keyring.h"
#include "core/settings.h"
#include "store/db/db.h"

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

/* Prepares SOURCE in a child, and connects where the database answers. */
idv_error_t *idv_database_child_init(const idv_db_source_t *source,
                                     apr_pool_t *pchild) IDV_CHECKED;

#endif
