/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/session_reviews: putting a hold on a verified session. Decisions are the
 * operator's (verifyctl review).
 */
#include "api/session_change.h"
#include "domain/parameters.h"

typedef struct {
    const char *reason;
} flag_input_t;

static const idv_parameter_t flag_parameters[] = {
    IDV_PARAMETER(STRING, flag_input_t, reason, IDV_NULLABLE, 1,
                  IDV_REVIEW_REASON_MAX),
    {0},
};

idv_error_t *idv_session_review_api_flag(idv_request_t *request)
{
    flag_input_t body = {0};
    idv_session_input_t input = {.type = IDV_INPUT_FLAG};

    IDV_TRY(idv_request_parameters(request, flag_parameters, &body, NULL));
    input.reason = body.reason;
    input.decided_by = request->key->id;
    return idv_session_api_change(request, &input);
}
