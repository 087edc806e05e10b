/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_VALUE_H
#define IDV_STORE_DB_DB_VALUE_H

/*
 * Parameters of statements and columns of rows, in PostgreSQL's text format,
 * except binary parameters.
 *
 * Values are read as this module wrote them, and columns contain what their
 * statement selects, so types are not checked again.
 *
 * Threads: parameters are thread-safe; a result belongs to one thread. Memory:
 * borrowed parameters must live until the statement has run or was sent; newly
 * encoded or decoded values live in the given pool.
 */
#include "core/clock.h"
#include "core/crypto.h"
#include "core/json.h"
#include "core/trace.h"
#include "domain/method/method.h"

/* --- parameters --- */

/* A parameter; made with the functions below. */
typedef struct {
    const char *value; /* NULL: SQL NULL, unless `text` is filled */
    int length;        /* bytes of a binary value */
    int binary;
    char text[24]; /* a number as text */
} idv_db_param_t;

/* Single values; texts and bytes are borrowed. */
idv_db_param_t idv_db_null(void);
idv_db_param_t idv_db_text(const char *text); /* NULL becomes SQL NULL */
idv_db_param_t idv_db_int(apr_int64_t value);
idv_db_param_t idv_db_time(idv_time_t time); /* 0 becomes SQL NULL */
idv_db_param_t idv_db_bool(int value);
idv_db_param_t idv_db_bytes(idv_bytes_t bytes); /* NULL data: SQL NULL */
/* A text[] from COUNT strings or from a NULL-terminated list, an integer[] or
 * bigint[] from COUNT numbers, a text[] of method values. Written as array
 * literals in POOL. */
idv_db_param_t idv_db_texts(const char *const *texts, int count,
                            apr_pool_t *pool);
idv_db_param_t idv_db_text_list(const char *const *texts, apr_pool_t *pool);
idv_db_param_t idv_db_ints(const apr_int64_t *values, int count,
                           apr_pool_t *pool);
idv_db_param_t idv_db_methods(const idv_method_list_t *list, apr_pool_t *pool);
/* Compact JSON in POOL; NULL becomes SQL NULL. */
idv_db_param_t idv_db_json(const json_t *value, apr_pool_t *pool);

/* Maximum number of parameters of a statement. */
#define IDV_DB_PARAMS_MAX 80

/* The parameters of one statement. */
typedef struct {
    const idv_db_param_t *values;
    int count;
} idv_db_params_t;

#define IDV_DB_PARAMS(...)                                                     \
    ((idv_db_params_t){((const idv_db_param_t[]){__VA_ARGS__}),                \
                       (int)(sizeof((const idv_db_param_t[]){__VA_ARGS__})     \
                             / sizeof(idv_db_param_t))})
#define IDV_DB_NO_PARAMS ((idv_db_params_t){NULL, 0})

/* --- rows --- */

typedef struct idv_db_result_t idv_db_result_t;

/* Rows and columns count from 0; text lives as long as the result's pool. SQL
 * NULL gives NULL, 0 and an empty value. */
int idv_db_rows(const idv_db_result_t *result);
int idv_db_is_null(const idv_db_result_t *result, int row, int column);
const char *idv_db_get_text(const idv_db_result_t *result, int row, int column);
apr_int64_t idv_db_get_int(const idv_db_result_t *result, int row, int column);
int idv_db_get_bool(const idv_db_result_t *result, int row, int column);
/* A context that idv_db_trace_param() wrote, in POOL; NULL: none. */
const idv_trace_context_t *idv_db_get_trace(const idv_db_result_t *result,
                                            int row, int column,
                                            apr_pool_t *pool);
/* A bytea, decoded into POOL. It has the form of bytea_output=hex:
 * store/db/db.h returns no other. */
idv_bytes_t idv_db_get_bytes(const idv_db_result_t *result, int row, int column,
                             apr_pool_t *pool);
/* A json column that this module wrote; NULL for SQL NULL. Owned by POOL. */
json_t *idv_db_get_json(const idv_db_result_t *result, int row, int column,
                        apr_pool_t *pool);
/* A text[] without NULLs, as a NULL-terminated array in POOL. */
const char *const *idv_db_get_texts(const idv_db_result_t *result, int row,
                                    int column, apr_pool_t *pool);
/* A text[] of methods into *LIST; empty for SQL NULL. An unknown method is an
 * internal error: a newer version wrote it. */
idv_error_t *idv_db_get_methods(const idv_db_result_t *result, int row,
                                int column, idv_method_list_t *list,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
