/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_PARAMETER_H
#define IDV_STORE_DB_PARAMETER_H

/*
 * The parameters of a statement, in the text form of PostgreSQL but for bytes.
 *
 * Memory: what is borrowed has to live until the statement has run or was sent;
 * what is written anew lives in the given pool. Threads: thread-safe.
 */
#include "core/clock.h"
#include "core/crypto.h"
#include "core/json.h"

/* A parameter; build it with the functions below. */
typedef struct {
    const char *value; /* NULL: SQL NULL, unless `text` is filled */
    int length;        /* of binary values */
    int binary;
    char text[24]; /* of numbers */
} idv_db_param_t;

/* Values as parameters; texts and bytes are borrowed until the statement has
 * run or was sent. */
idv_db_param_t idv_db_null(void);
idv_db_param_t idv_db_text(const char *text); /* NULL becomes SQL NULL */
idv_db_param_t idv_db_int(apr_int64_t value);
idv_db_param_t idv_db_time(idv_time_t time); /* 0 becomes SQL NULL */
idv_db_param_t idv_db_bool(int value);
idv_db_param_t idv_db_bytes(idv_bytes_t bytes); /* NULL data: SQL NULL */
/* A text[] from COUNT strings, or from a list that ends with NULL; an integer[]
 * or bigint[] from COUNT numbers. Written as array literals in POOL. */
idv_db_param_t idv_db_texts(const char *const *texts, int count,
                            apr_pool_t *pool);
idv_db_param_t idv_db_text_list(const char *const *texts, apr_pool_t *pool);
idv_db_param_t idv_db_ints(const apr_int64_t *values, int count,
                           apr_pool_t *pool);
/* Compact JSON in POOL; NULL becomes SQL NULL. */
idv_db_param_t idv_db_json(const json_t *value, apr_pool_t *pool);

/* Of one statement. */
#define IDV_DB_PARAMS_MAX 80

/* The parameters of one statement, as an array and its length. */
#define IDV_DB_PARAMS(...)                                                     \
    ((const idv_db_param_t[]){__VA_ARGS__}),                                   \
        (int)(sizeof((const idv_db_param_t[]){__VA_ARGS__})                    \
              / sizeof(idv_db_param_t))
#define IDV_DB_NO_PARAMS NULL, 0

#endif
