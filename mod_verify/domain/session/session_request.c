/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_request.h"

#include <string.h>

#include "domain/request/parameters.h"
#include "domain/value/identifier.h"

/* Characters of texts that are looked up or parsed further. Longer texts cannot be
 * valid. */
#define TEXT_MAX 255
/* Of a language tag (RFC 5646). The page answers unknown languages in English, so
 * nothing else is checked. */
#define LOCALE_CHARACTERS                                                      \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
#define LOCALE_MAX 35 /* characters, as of RFC 5646, 4.4.1 */
#define EMAIL_GIVEN_MAX 1000 /* before it is normalized */

typedef idv_session_create_params_t params_t;

/* In the order of the interface, in which missing ones are reported. A vp_token
 * may be any text: a malformed token is as invalid as an unknown one. */
static const idv_parameter_t parameters[] = {
    IDV_PARAMETER(SESSION_TYPE, params_t, type, IDV_REQUIRED, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, params_t, workflow_id, IDV_REQUIRED, 1, TEXT_MAX),
    IDV_PARAMETER(REDIRECT_URL, params_t, return_url, 0, 1, IDV_URL_MAX),
    IDV_PARAMETER(REDIRECT_URL, params_t, cancel_url, 0, 1, IDV_URL_MAX),
    IDV_PARAMETER(STRING, params_t, client_reference_id, 0, 1,
                  IDV_CLIENT_REFERENCE_ID_MAX),
    IDV_PARAMETER(METADATA, params_t, metadata, 0, 0, IDV_METADATA_PAIRS_MAX),
    IDV_PARAMETER(JURISDICTION, params_t, jurisdiction, 0, 1, TEXT_MAX),
    IDV_PARAMETER(STRING, params_t, custom_user_message, 0, 0,
                  IDV_CUSTOM_USER_MESSAGE_MAX),
    IDV_PARAMETER(STRING, params_t, locale, 0, 2, LOCALE_MAX),
    IDV_PARAMETER(EMAIL, params_t, email, 0, 1, EMAIL_GIVEN_MAX),
    IDV_PARAMETER(PHONE, params_t, phone, 0, 1, TEXT_MAX),
    IDV_PARAMETER(BOOLEAN, params_t, accept_existing, 0, 0, 0),
    IDV_PARAMETER(STRENGTH, params_t, min_strength, 0, 1, TEXT_MAX),
    IDV_PARAMETER_AS(MAX_AGE, params_t, max_age, max_age_days, 0, 1, TEXT_MAX),
    IDV_PARAMETER(METHODS, params_t, required_methods, 0, 1, IDV_METHOD_COUNT),
    IDV_PARAMETER(STRING, params_t, credential_hash, 0, 1,
                  IDV_CREDENTIAL_HASH_MAX),
    IDV_PARAMETER(JURISDICTION, params_t, delivery_jurisdiction, 0, 1,
                  TEXT_MAX),
    IDV_PARAMETER(STRING, params_t, vp_token, 0, 0, IDV_TOKEN_TEXT_MAX),
    IDV_PARAMETER(BOOLEAN, params_t, skip_verification, 0, 0, 0),
    IDV_PARAMETER(STRING, params_t, captcha_token, 0, 1, IDV_TOKEN_MAX),
    IDV_PARAMETER_REFUSE("methods",
                         "is not allowed. The workflow sets the methods."),
    {0},
};

/* The parameters, which the table fills, and whose they are. */
typedef struct {
    params_t params; /* first, so that offsets are its */
    const idv_session_create_caller_t *caller;
} reading_t;

static idv_error_t *check_value(void *input, const char *name, apr_pool_t *pool)
{
    const reading_t *reading = input;

    if (strcmp(name, "skip_verification") == 0
        && reading->params.skip_verification && !reading->caller->sandbox)
        return idv_error_param(pool, name,
                               "is only available in a sandbox organization.");
    if (strcmp(name, "locale") == 0
        && strspn(reading->params.locale, LOCALE_CHARACTERS)
               != strlen(reading->params.locale))
        return idv_error_param(
            pool, name, "must be a language tag, such as `de` or `de-AT`.");
    return NULL;
}

/* Checks that involve several parameters. */
static idv_error_t *check_together(const reading_t *reading, apr_pool_t *pool)
{
    const params_t *params = &reading->params;

    if (params->accept_existing && !params->email && !params->phone)
        return idv_error_param(
            pool, "accept_existing",
            "requires `email` or `phone`. Pass one of them.");
    if (reading->caller->publishable_key && !params->captcha_token)
        return idv_error_new(IDV_E_CAPTCHA_REQUIRED, pool);
    return NULL;
}

idv_error_t *idv_session_create_parse(const json_t *body,
                                      const idv_session_create_caller_t *caller,
                                      idv_session_create_params_t **params,
                                      apr_pool_t *pool)
{
    const idv_parameters_t given = {.values = body};
    reading_t *reading = apr_pcalloc(pool, sizeof(*reading));

    *params = NULL;
    reading->caller = caller;
    if (caller->publishable_key && caller->publishable_create_blocked)
        return idv_error_new(IDV_E_PUBLISHABLE_SESSION_CREATE_BLOCKED, pool);
    if (!json_is_object(body))
        return idv_error_param(pool, NULL, "The body must be an object.");
    IDV_TRY(
        idv_parameters_read(&given, parameters, reading, check_value, pool));
    IDV_TRY(check_together(reading, pool));
    *params = &reading->params;
    return NULL;
}
