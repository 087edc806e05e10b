/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/openapi.json: what this API is, for machines. openapi.json is written by
 * hand beside the table of routes; t/meta/openapi.t compares the two.
 */
#include "api/response.h"

idv_error_t *idv_openapi_api_retrieve(idv_request_t *request)
{
    IDV_TRY(idv_request_no_parameters(request));
    idv_respond_header(request, "Cache-Control", "public, max-age=300");
    idv_respond_header(request, "Vary", "Accept-Encoding");
    return idv_respond_asset(request, idv_openapi_document);
}
