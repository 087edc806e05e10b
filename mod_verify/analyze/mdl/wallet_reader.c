/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/mdl/wallet_reader.h"

#include <string.h>

#include "methods/mdl/mdl_verification.h"

idv_error_t *idv_wallet_reader_open(const char *models_directory, void **reader,
                                    apr_pool_t *pool)
{
    (void)models_directory;
    (void)pool;
    *reader = NULL;
    return NULL;
}

/* The part called NAME; without data if it is absent. */
static idv_bytes_t part_of(const idv_analysis_request_t *request,
                           const char *name)
{
    for (int i = 0; i < request->part_count; i++)
        if (strcmp(request->parts[i].name, name) == 0)
            return request->parts[i].bytes;
    return (idv_bytes_t){NULL, 0};
}

idv_error_t *idv_wallet_reader_read(void *reader,
                                    const idv_analysis_request_t *request,
                                    idv_bytes_t *findings, apr_pool_t *pool)
{
    idv_bytes_t asked = part_of(request, "wallet_request");
    idv_bytes_t response = part_of(request, "wallet_response");
    idv_mdl_findings_t *found;
    idv_mdl_request_t *check;
    const char *text;

    (void)reader;
    if (request->part_count != 2 || !asked.data || !response.data)
        return idv_error_internal(pool, "a response without its request");
    IDV_TRY(idv_mdl_request_read((const char *)asked.data, asked.length,
                                 request->now, &check, pool));
    IDV_TRY(idv_mdl_verify(check, response, &found, pool));
    IDV_TRY(idv_mdl_findings_write(found, &text, &findings->length, pool));
    findings->data = (const unsigned char *)text;
    return NULL;
}
