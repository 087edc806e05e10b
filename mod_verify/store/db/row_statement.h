/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_ROW_STATEMENT_H
#define IDV_STORE_DB_ROW_STATEMENT_H

/*
 * Statements over rows: one statement that does for several callers what each
 * wants done for one row, such as sql/queries/session/session/create_guessed.sql.
 * Starting a statement and looking up what is the same for all rows then costs
 * once.
 *
 * Its first parameters are the same for all rows. Each of the others is an array
 * with an element for each row: bytea[] where its values are binary, else text[]
 * of values in text format. Each row of its result begins with the id of a
 * caller's row; for a caller without a row, nothing was done.
 *
 * Threads: the calls may belong to several threads; one thread uses the
 * functions while the others wait. Memory: the arrays live in the given pool;
 * each call owns its part of the result. Failures: a result that cannot be
 * divided for lack of memory is reported.
 */
#include "store/db/db.h"

/* What a caller wants: a statement, and whether it is one over rows. */
typedef struct {
    idv_db_batch_item_t item; /* with the values of one row as parameters */
    const char *row_id;       /* NULL: an ordinary statement */
    int shared; /* number of parameters, the first ones, that are the same for
                 * all rows */
} idv_row_call_t;

/* Statements for COUNT calls, at most as many. */
typedef struct {
    idv_db_batch_item_t *items;
    int *users;    /* of each statement: number of its calls */
    int *place_of; /* of each call: the place of its statement */
    int count;     /* of statements */
} idv_row_batch_t;

/* The statements for COUNT CALLS in *BATCH: calls with the same statement over
 * rows and the same shared parameters become one, at the place of the first of
 * them and with their rows in order. */
void idv_row_batch_gather(idv_row_call_t *const *calls, int count,
                          idv_row_batch_t *batch, apr_pool_t *pool);

/* Gives each of the COUNT CALLS its part of the results of BATCH: none of a
 * statement that failed. Zero if memory ran out, so that some have none either. */
int idv_row_batch_divide(idv_row_call_t *const *calls, int count,
                         idv_row_batch_t *batch);

#endif
