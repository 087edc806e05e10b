/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/compliance/check: what the law requires for product types
 * (domain/law/compliance_check.h), at the caller's location unless the request
 * names one. For operators …/compliance/sources: the sources of the answer.
 */
#include "api/http/response.h"
#include "domain/law/compliance_check.h"
#include "domain/value/jurisdiction.h"

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

/* Fills in the defaults: the caller's location, and today. */
static idv_error_t *complete_question(const idv_request_t *request,
                                      idv_compliance_check_t *check)
{
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

    IDV_TRY(idv_request_parameters(request, idv_compliance_check_parameters,
                                   &check, idv_compliance_check_value));
    IDV_TRY(complete_question(request, &check));
    return idv_respond_text(
        request, HTTP_OK,
        idv_compliance_check_text(request->services->compliance, &check,
                                  request->pool));
}

/* The operator's location does not show where the shop sells. */
static const idv_parameter_t sources_parameters[] = {
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, use_cases, use_cases_text,
                     IDV_REQUIRED, 1, 1024),
    IDV_PARAMETER(JURISDICTION, idv_compliance_check_t, jurisdiction,
                  IDV_REQUIRED, 1, 255),
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, article, article_text, 0,
                     1, 64),
    IDV_PARAMETER_AS(STRING, idv_compliance_check_t, channel, channel_text, 0,
                     1, 64),
    IDV_PARAMETER(STRING, idv_compliance_check_t, as_of, 0, 1, 64),
    {0},
};

idv_error_t *idv_compliance_sources_api_retrieve(idv_request_t *request)
{
    idv_compliance_check_t check = {0};

    IDV_TRY(idv_request_parameters(request, sources_parameters, &check,
                                   idv_compliance_check_value));
    IDV_TRY(complete_question(request, &check));
    return idv_respond_text(
        request, HTTP_OK,
        idv_compliance_sources_text(request->services->compliance, &check,
                                    request->pool));
}
