/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_CREDENTIAL_ROW_H
#define IDV_STORE_CREDENTIAL_ROW_H

/*
 * A credential in a row that begins with sql/fragments/credential_columns.sql,
 * inside of store/.
 */
#include "domain/credential.h"
#include "store/db.h"

#define IDV_CREDENTIAL_COLUMN_COUNT 11

/* Fills CREDENTIAL, whose texts are the result's. */
idv_error_t *idv_credential_row_read(const idv_db_result_t *rows, int row,
                                     idv_reusable_t *credential,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
