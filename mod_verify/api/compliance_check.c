/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/compliance/check: what the law says about product types
 * (domain/compliance_check.h), where it is asked from when it does not say
 * where.
 */
#include "api/response.h"
#include "domain/compliance_check.h"
#include "domain/jurisdiction.h"

static idv_error_t *detect_jurisdiction(const idv_request_t *request,
                                        idv_compliance_check_t *check)
{
    idv_location_t location = {0};

    request->services->locate(request, &location);
    check->jurisdiction =
        location.geo_header ? location.geo_header : location.ip_database;
    check->source = "auto_detected";
    return check->jurisdiction
             ? NULL
             : idv_error_new(IDV_E_JURISDICTION_UNRESOLVABLE, request->pool);
}

static idv_error_t *read_question(const idv_request_t *request,
                                  idv_compliance_check_t *check)
{
    IDV_TRY(idv_request_parameters(request, idv_compliance_check_parameters,
                                   check, idv_compliance_check_value));
    IDV_TRY(idv_compliance_check_article(check, request->pool));
    check->source = "explicit";
    if (!check->jurisdiction)
        IDV_TRY(detect_jurisdiction(request, check));
    if (!check->as_of)
        check->day = idv_jurisdiction_date(check->jurisdiction, request->now);
    return NULL;
}

idv_error_t *idv_compliance_api_check(idv_request_t *request)
{
    idv_compliance_check_t check = {0};

    IDV_TRY(read_question(request, &check));
    return idv_respond_text(
        request, HTTP_OK,
        idv_compliance_check_text(request->services->compliance, &check,
                                  request->pool));
}
