/* SPDX-License-Identifier: Apache-2.0 */
/* The first half of session creation: the request by itself. */
#include "domain/session_create.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/limits.h"
#include "domain/max_age.h"
#include "domain/url.h"

/* Characters of texts that are looked up or parsed further: more are none of
 * what is meant. */
#define TEXT_MAX 255
#define EMAIL_MAX 1000 /* before it is normalized */
/* Of the name of an unknown parameter, up to which it is repeated. */
#define NAME_MAX_SHOWN 100

typedef struct {
    idv_session_create_params_t *params;
    const idv_session_create_caller_t *caller;
    apr_pool_t *pool;
} parser_t;

#define READER(name)                                                           \
    static idv_error_t *read_##name(parser_t *parser, const json_t *value)

READER(type)
{
    parser->params->type = idv_session_type_parse(json_string_value(value));
    if (parser->params->type == IDV_SESSION_TYPE_NONE)
        return idv_error_param(parser->pool, "type",
                               "Must be identity, age or student.");
    return NULL;
}

READER(workflow_id)
{
    return idv_param_string(value, "workflow_id", 1, TEXT_MAX,
                            &parser->params->workflow_id, parser->pool);
}

READER(return_url)
{
    IDV_TRY(idv_param_string(value, "return_url", 1, IDV_URL_MAX,
                             &parser->params->return_url, parser->pool));
    return idv_url_check(parser->params->return_url, IDV_URL_REDIRECT,
                         "return_url", parser->pool);
}

READER(cancel_url)
{
    IDV_TRY(idv_param_string(value, "cancel_url", 1, IDV_URL_MAX,
                             &parser->params->cancel_url, parser->pool));
    return idv_url_check(parser->params->cancel_url, IDV_URL_REDIRECT,
                         "cancel_url", parser->pool);
}

READER(client_reference_id)
{
    return idv_param_string(value, "client_reference_id", 1,
                            IDV_CLIENT_REFERENCE_ID_MAX,
                            &parser->params->client_reference_id, parser->pool);
}

READER(metadata)
{
    parser->params->metadata = (json_t *)value;
    return idv_param_metadata(value, "metadata", parser->pool);
}

READER(jurisdiction)
{
    const char *text;

    IDV_TRY(idv_param_string(value, "jurisdiction", 1, TEXT_MAX, &text,
                             parser->pool));
    return idv_jurisdiction_parse(text, "jurisdiction",
                                  &parser->params->jurisdiction, parser->pool);
}

READER(custom_user_message)
{
    return idv_param_string(value, "custom_user_message", 0,
                            IDV_CUSTOM_USER_MESSAGE_MAX,
                            &parser->params->custom_user_message, parser->pool);
}

READER(email)
{
    const char *text;

    IDV_TRY(
        idv_param_string(value, "email", 1, EMAIL_MAX, &text, parser->pool));
    return idv_email_normalize(text, "email", &parser->params->email,
                               parser->pool);
}

READER(phone)
{
    const char *text;

    IDV_TRY(idv_param_string(value, "phone", 1, TEXT_MAX, &text, parser->pool));
    return idv_phone_normalize(text, "phone", &parser->params->phone,
                               parser->pool);
}

READER(accept_existing)
{
    return idv_param_boolean(value, "accept_existing",
                             &parser->params->accept_existing, parser->pool);
}

READER(min_strength)
{
    parser->params->min_strength =
        idv_strength_parse(json_string_value(value));
    if (parser->params->min_strength == IDV_STRENGTH_NONE)
        return idv_error_param(parser->pool, "min_strength",
                               "Must be a credential strength.");
    return NULL;
}

READER(max_age)
{
    const char *text;

    IDV_TRY(
        idv_param_string(value, "max_age", 1, TEXT_MAX, &text, parser->pool));
    return idv_max_age_parse(text, IDV_MAX_AGE_SESSION, "max_age",
                             &parser->params->max_age_days, parser->pool);
}

READER(required_methods)
{
    size_t count = json_array_size(value);

    if (count < 1)
        return idv_error_param(parser->pool, "required_methods",
                               "Must be a non-empty array of methods.");
    for (size_t i = 0; i < count; i++) {
        idv_method_t method =
            idv_method_parse(json_string_value(json_array_get(value, i)));
        const char *path = apr_psprintf(
            parser->pool, "required_methods[%" APR_SIZE_T_FMT "]", i);

        if (method == IDV_METHOD_NONE)
            return idv_error_param(parser->pool, path, "Must be a method.");
        if (idv_method_list_has(&parser->params->required_methods, method))
            return idv_error_param(parser->pool, path, "Is listed twice.");
        idv_method_list_add(&parser->params->required_methods, method);
    }
    return NULL;
}

READER(credential_hash)
{
    return idv_param_string(value, "credential_hash", 1,
                            IDV_CREDENTIAL_HASH_MAX,
                            &parser->params->credential_hash, parser->pool);
}

READER(delivery_jurisdiction)
{
    const char *text;

    IDV_TRY(idv_param_string(value, "delivery_jurisdiction", 1, TEXT_MAX, &text,
                             parser->pool));
    return idv_jurisdiction_parse(text, "delivery_jurisdiction",
                                  &parser->params->delivery_jurisdiction,
                                  parser->pool);
}

/* A text of any length: one that is no token is an invalid one, like one that
 * is not known. */
READER(vp_token)
{
    return idv_param_string(value, "vp_token", 0, IDV_TOKEN_TEXT_MAX,
                            &parser->params->vp_token, parser->pool);
}

READER(skip_verification)
{
    IDV_TRY(idv_param_boolean(value, "skip_verification",
                              &parser->params->skip_verification,
                              parser->pool));
    if (parser->params->skip_verification && !parser->caller->sandbox)
        return idv_error_param(parser->pool, "skip_verification",
                               "Is for sandbox organizations only.");
    return NULL;
}

READER(captcha_token)
{
    return idv_param_string(value, "captcha_token", 1, IDV_TOKEN_MAX,
                            &parser->params->captcha_token, parser->pool);
}

static const struct {
    const char *name;
    idv_error_t *(*read)(parser_t *, const json_t *);
} readers[] = {
#define X(name) {#name, read_##name},
    IDV_SESSION_PARAMETERS(X)
#undef X
};

static idv_error_t *read_parameter(parser_t *parser, const char *key,
                                   const json_t *value)
{
    for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
        if (!strcmp(readers[i].name, key))
            return readers[i].read(parser, value);
    if (!strcmp(key, "methods"))
        return idv_error_param(parser->pool, "methods",
                               "Methods come from the workflow.");
    return idv_error_param(parser->pool,
                           idv_utf8_length(key) <= NAME_MAX_SHOWN ? key : NULL,
                           "Unknown parameter.");
}

/* What depends on more than one parameter. */
static idv_error_t *check_together(const parser_t *parser, const json_t *body)
{
    const idv_session_create_params_t *params = parser->params;

    if (!json_object_get(body, "type"))
        return idv_error_param(parser->pool, "type", "Is required.");
    if (!params->workflow_id)
        return idv_error_param(parser->pool, "workflow_id", "Is required.");
    if (params->accept_existing && !params->email && !params->phone)
        return idv_error_param(parser->pool, "accept_existing",
                               "Requires email or phone.");
    if (parser->caller->publishable_key && !params->captcha_token)
        return idv_error_new(IDV_E_CAPTCHA_REQUIRED, parser->pool);
    return NULL;
}

idv_error_t *idv_session_create_parse(const json_t *body,
                                      const idv_session_create_caller_t *caller,
                                      idv_session_create_params_t **params,
                                      apr_pool_t *pool)
{
    parser_t parser = {apr_pcalloc(pool, sizeof(**params)), caller, pool};
    const char *key;
    const json_t *value;

    *params = NULL;
    if (caller->publishable_key && caller->publishable_create_blocked)
        return idv_error_new(IDV_E_PUBLISHABLE_SESSION_CREATE_BLOCKED, pool);
    if (!json_is_object(body))
        return idv_error_param(pool, NULL, "The body must be an object.");
    json_object_foreach ((json_t *)body, key, value)
        IDV_TRY(read_parameter(&parser, key, value));
    IDV_TRY(check_together(&parser, body));
    *params = parser.params;
    return NULL;
}
