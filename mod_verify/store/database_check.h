/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DATABASE_CHECK_H
#define IDV_STORE_DATABASE_CHECK_H

/*
 * Whether a database is one that this build and this node may work with: its
 * schema is new enough, and the master key is the one that it has been used
 * with. With another key nothing sealed opens, nobody is recognized, and what
 * is written meanwhile can be read by nobody else.
 */
#include "core/crypto.h"
#include "store/db.h"

/* What is to be done first, for the log; NULL in *FAULT: nothing. A database
 * that has not been used yet takes the key of KEYS for its own. KEYS may be
 * NULL for who needs no key. */
idv_error_t *idv_database_check(idv_db_t *db, const idv_keyring_t *keys,
                                const char **fault,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
