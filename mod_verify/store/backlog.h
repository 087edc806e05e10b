/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_BACKLOG_H
#define IDV_STORE_BACKLOG_H

/*
 * How much work waits in the database for the watchdogs of all nodes.
 */
#include "store/db.h"

typedef struct {
    apr_int64_t deliveries_new;      /* not tried yet */
    apr_int64_t deliveries_repeated; /* tried in vain so far */
    apr_int64_t analyses;
    apr_int64_t mails;
} idv_backlog_t;

/* Counts each kind up to MOST, so that a large backlog costs no more. */
idv_error_t *idv_backlog_count(idv_db_t *db, int most, idv_backlog_t *backlog,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
