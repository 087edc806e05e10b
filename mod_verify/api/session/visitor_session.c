/* SPDX-License-Identifier: Apache-2.0 */
#include "api/session/visitor_session.h"

#include <string.h>

#include <apr_strings.h>

#include "api/http/standing.h"
#include "core/json_writer.h"

#define CREATE_PATH "/v1/verification_sessions"

void idv_visitor_request_fill(idv_request_t *request, const char *name,
                              const char *organization_id)
{
    idv_api_key_t *key = apr_pcalloc(request->pool, sizeof(*key));

    key->id =
        apr_pstrcat(request->pool, name, " ", organization_id, NULL);
    key->organization_id = organization_id;
    key->type = IDV_KEY_SECRET;
    request->key = key;
    request->visitor_of = name;
}

/* Sets what an API key would otherwise supply. */
static idv_error_t *take_standing(idv_request_t *request)
{
    idv_api_key_t *key = apr_pmemdup(request->pool, request->key, sizeof(*key));
    const idv_scope_t scope = idv_request_scope(request);
    idv_organization_standing_t standing;

    IDV_TRY(idv_request_standing(request, &scope, &standing));
    if (standing.disabled)
        return idv_error_new(IDV_E_ACCESS_DENIED, request->pool);
    key->sandbox = standing.sandbox;
    key->billing_suspended = standing.billing_suspended;
    request->key = key;
    return NULL;
}

/* Turns REQUEST into one to the API route. */
static void fill_parameters(idv_request_t *request,
                            const idv_visitor_session_t *wanted)
{
    const char *text;

    request->parameters = idv_json_own(
        json_pack("{s:s,s:s,s:s,s:s}", "type", wanted->session_type,
                  "workflow_id", wanted->workflow_id, "return_url",
                  wanted->back, "cancel_url", wanted->back),
        request->pool);
    if (wanted->jurisdiction)
        json_object_set_new(request->parameters, "jurisdiction",
                            json_string(wanted->jurisdiction));
    request->parameters_are_query = 0;
    text = idv_json_text(request->parameters, request->pool);
    request->body = (idv_bytes_t){(const unsigned char *)text, strlen(text)};
    /* Replaces a key that the visitor may have sent. */
    apr_table_set(request->r->headers_in, "Idempotency-Key", wanted->once);
}

idv_error_t *idv_visitor_session_open(idv_request_t *request,
                                      const idv_visitor_session_t *wanted,
                                      const char **id, const char **url)
{
    idv_route_match_t match;
    json_t *session;

    IDV_TRY(idv_route_find("POST", CREATE_PATH, &match, request->pool));
    request->route = match.route;
    IDV_TRY(take_standing(request));
    fill_parameters(request, wanted);
    IDV_TRY(match.route->handler(request));
    apr_table_unset(request->r->err_headers_out, "Idempotent-Replayed");
    IDV_TRY(idv_json_parse((const char *)request->response.body.data,
                           request->response.body.length, &session,
                           request->pool));
    *id = json_string_value(json_object_get(session, "id"));
    *url = json_string_value(json_object_get(session, "url"));
    return *id ? NULL
               : idv_error_internal(request->pool, "a session without an id");
}
