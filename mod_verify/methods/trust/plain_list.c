/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/plain_list.h"

static idv_error_t *read_authorities(idv_bytes_t file,
                                     idv_trust_content_t *content,
                                     apr_pool_t *pool)
{
    apr_array_header_t *list = apr_array_make(pool, 16, sizeof(idv_bytes_t));

    IDV_TRY(idv_trust_certificates_read(file, list, pool));
    for (int i = 0; i < list->nelts; i++)
        IDV_TRY(idv_trust_content_add(
            content, APR_ARRAY_IDX(list, i, idv_bytes_t), NULL, pool));
    return NULL;
}

idv_error_t *idv_trust_content_add_csca(idv_trust_content_t *content,
                                        const idv_csca_list_t *list,
                                        int before, apr_pool_t *pool)
{
    for (int i = before; i < list->items->nelts; i++)
        IDV_TRY(idv_trust_content_add(
            content, APR_ARRAY_IDX(list->items, i, idv_csca_t).certificate.der,
            NULL, pool));
    return NULL;
}

static idv_error_t *read_country_authorities(idv_bytes_t file,
                                             idv_trust_content_t *content,
                                             apr_pool_t *pool)
{
    idv_csca_list_t *list = idv_csca_list_create(pool);
    int count;

    IDV_TRY(idv_csca_list_read_certificates(list, file, "file", &count));
    return idv_trust_content_add_csca(content, list, 0, pool);
}

idv_error_t *idv_trust_plain_read(idv_bytes_t file, idv_trust_kind_t kind,
                                  idv_trust_content_t **content,
                                  apr_pool_t *pool)
{
    *content = idv_trust_content_create(kind, pool);
    return kind == IDV_TRUST_CSCA
             ? read_country_authorities(file, *content, pool)
             : read_authorities(file, *content, pool);
}
