/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SQL_H
#define IDV_STORE_SQL_H

/*
 * The queries of sql/queries, embedded when the module is built.
 *
 * sql/queries/session/create.sql becomes the statement `session_create` with
 * the number IDV_SQL_SESSION_CREATE. t/store prepares each of them against the
 * schema.
 */
#include "sql_statements.h"

typedef struct {
    const char *name; /* of the prepared statement; lower case */
    const char *text; /* with $1, $2, ... */
} idv_sql_text_t;

/* Constant data, indexed by idv_sql_t; IDV_SQL_COUNT entries and one of NULLs.
 */
extern const idv_sql_text_t idv_sql_texts[];

#endif
