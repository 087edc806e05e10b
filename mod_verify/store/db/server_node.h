/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_SERVER_NODE_H
#define IDV_STORE_DB_SERVER_NODE_H

/*
 * Which nodes are at work, and what they have that others have to know of: the
 * versions of the master key in their files, and whether they send e-mail.
 *
 * Each watchdog writes a row of its own when it begins and every few seconds
 * from then on, and removes it when it ends or hands over to a successor. One
 * that was killed counts as being there for a minute more. The clock is that of
 * the database.
 *
 * Threads and failures: as in store/db/db.h. Memory: the given pool.
 */
#include <apr_tables.h>

#include "core/keyring.h"
#include "store/db/db.h"

typedef struct {
    const char *id;   /* of the process, among all nodes */
    const char *node; /* of the server process, whose watchdogs come and go */
    const char *host; /* for operators */
    const idv_keyring_t *keys;
    int sends_mail;
} idv_server_node_t;

/* NODE is there. Processes before it of the same server that have not said so for
 * twenty seconds, more than the time between two reports, are not. */
idv_error_t *idv_server_node_report(idv_db_t *db, const idv_server_node_t *node,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The node ID ends. */
idv_error_t *idv_server_node_leave(idv_db_t *db, const char *id,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The hosts, twenty at most, of nodes whose file has not VERSION, or another key
 * by its number; an array of const char *. */
idv_error_t *idv_server_node_lacking(idv_db_t *db,
                                     const idv_key_version_t *version,
                                     apr_array_header_t **hosts,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Whether a node is there that sends no e-mail. */
idv_error_t *idv_server_node_without_mail(idv_db_t *db, int *is_there,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
