/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_ASSURANCE_FIGURES_H
#define IDV_STORE_TRANSACTION_ASSURANCE_FIGURES_H

/*
 * The figures of an organization for auditors: the sessions of a period, the
 * decisions of its methods and their basis, its reviews, the data that is kept,
 * and failures. They are counted on request and contain no personal data.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "store/db/db.h"

typedef struct {
    const char *organization_id;
    idv_time_t from, before; /* when a session was created, or a thing happened */
    idv_time_t now;
} idv_assurance_query_t;

typedef struct {
    const char *section; /* sessions, assurance, methods, basis, reviews,
                          * second_reviews, kept, events */
    const char *figure;
    apr_int64_t count;
    apr_int64_t total; /* that COUNT is a share of; negative: none */
} idv_assurance_figure_t;

/* An array of idv_assurance_figure_t, in the order of the sections. */
idv_error_t *idv_assurance_figures(idv_db_t *db,
                                   const idv_assurance_query_t *query,
                                   apr_array_header_t **figures,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
