/* SPDX-License-Identifier: Apache-2.0 */
#include "store/credential_row.h"


/* In the order of sql/fragments/credential_columns.sql. */
idv_error_t *idv_credential_row_read(const idv_db_result_t *rows, int row,
                                     idv_reusable_t *credential,
                                     apr_pool_t *pool)
{
    idv_credential_t *proof = &credential->proof;

    credential->id = idv_db_get_text(rows, row, 0);
    credential->verified_person_id = idv_db_get_text(rows, row, 1);
    proof->method = idv_method_parse(idv_db_get_text(rows, row, 2));
    proof->strength = idv_strength_parse(idv_db_get_text(rows, row, 3));
    proof->age_tier = idv_tier_parse(idv_db_get_text(rows, row, 4));
    proof->age_over = (int)idv_db_get_int(rows, row, 5);
    proof->jurisdiction = idv_db_get_text(rows, row, 7);
    proof->verified_at = idv_db_get_int(rows, row, 8);
    proof->expires_at = idv_db_get_int(rows, row, 9);
    proof->assurance = idv_assurance_parse(idv_db_get_text(rows, row, 10));
    return idv_db_get_methods(rows, row, 6, &proof->methods, pool);
}
