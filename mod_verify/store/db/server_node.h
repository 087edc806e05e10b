/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_SERVER_NODE_H
#define IDV_STORE_DB_SERVER_NODE_H

/*
 * The running nodes, and properties that other nodes need: the master key
 * versions in their files, and whether they send e-mail.
 *
 * Each watchdog writes its own row at its start and then every few seconds, and
 * removes it when it ends or hands over to a successor. A killed one counts as
 * running for one more minute. All times are the database's.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/db.h"

typedef struct {
    const char *id;   /* of the watchdog process, unique among all nodes */
    const char *node; /* of the server process, which outlives watchdogs */
    const char *host; /* for operators */
    const idv_keyring_t *keys;
    int sends_mail;
} idv_server_node_t;

/* Reports NODE as running. Earlier processes of the same server that have not
 * reported for twenty seconds, more than the time between two reports, are
 * removed. */
idv_error_t *idv_server_node_report(idv_db_t *db, const idv_server_node_t *node,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Removes the node ID. */
idv_error_t *idv_server_node_leave(idv_db_t *db, const char *id,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The hosts, twenty at most, of nodes whose file lacks VERSION or has another
 * key under its number; an array of const char *. */
idv_error_t *idv_server_node_lacking(idv_db_t *db,
                                     const idv_key_version_t *version,
                                     apr_array_header_t **hosts,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Whether a running node sends no e-mail. */
idv_error_t *idv_server_node_without_mail(idv_db_t *db, int *is_there,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
