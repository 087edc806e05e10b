/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/wallet_response.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "methods/mdl/cbor.h"
#include "methods/mdl/response_encryption.h"

#define R(name) IDV_MDL_REASON_##name

/* Records why the response is rejected, and returns that as an error. */
static idv_error_t *refuse(idv_mdl_findings_t *findings, idv_mdl_reason_t reason,
                           const char *text, apr_pool_t *pool)
{
    idv_error_t *error = idv_error_param(pool, NULL, "%s", text);

    idv_mdl_fail(findings, reason);
    findings->fault = error->message;
    return error;
}

/* Records the ERROR of a step with its REASON, and returns it. NULL: the step
 * succeeded, and nothing is recorded. */
static idv_error_t *judge(idv_mdl_findings_t *findings, idv_mdl_reason_t reason,
                          idv_error_t *error)
{
    if (error) {
        idv_mdl_fail(findings, reason);
        findings->fault = error->message;
    }
    return error;
}

static idv_bytes_t bytes_of(const char *text)
{
    return (idv_bytes_t){ (const unsigned char *)text, strlen(text) };
}

/* --- vp_token --- */

static idv_error_t *read_presentation(idv_mdl_findings_t *findings,
                                      idv_bytes_t text,
                                      idv_wallet_response_t *response,
                                      apr_pool_t *pool)
{
    return judge(findings, R(RESPONSE_MALFORMED),
                 idv_base64url_decode((const char *)text.data, text.length,
                                      &response->device_response, pool));
}

static const idv_mdl_query_t *find_query(const idv_mdl_request_t *request,
                                         const char *id)
{
    for (int i = 0; i < request->query_count; i++)
        if (request->queries[i].id && strcmp(request->queries[i].id, id) == 0)
            return &request->queries[i];
    return NULL;
}

/* {id: [presentation]}: only one query is answered, and once. */
static idv_error_t *read_token_object(const idv_wallet_opening_t *opening,
                                      json_t *token,
                                      idv_wallet_response_t *response,
                                      apr_pool_t *pool)
{
    void *entry = json_object_iter(token);
    const json_t *value = entry ? json_object_iter_value(entry) : NULL;

    if (!entry)
        return refuse(opening->findings, R(DOCUMENT_MISSING),
                      "vp_token is empty", pool);
    response->query = find_query(opening->request, json_object_iter_key(entry));
    if (!response->query || json_object_size(token) != 1)
        return refuse(opening->findings, R(DOCUMENT_NOT_REQUESTED),
                      "vp_token answers a query that was not sent", pool);
    if (json_is_array(value)) {
        if (json_array_size(value) == 0)
            return refuse(opening->findings, R(DOCUMENT_MISSING),
                          "vp_token has no presentation", pool);
        if (json_array_size(value) != 1)
            return refuse(opening->findings, R(DOCUMENT_NOT_REQUESTED),
                          "vp_token must have exactly one presentation", pool);
        value = json_array_get(value, 0);
    }
    if (!json_is_string(value))
        return refuse(opening->findings, R(RESPONSE_MALFORMED),
                      "a presentation is not a text", pool);
    return read_presentation(opening->findings,
                             bytes_of(json_string_value(value)), response,
                             pool);
}

static idv_error_t *read_token(const idv_wallet_opening_t *opening,
                               json_t *token, idv_wallet_response_t *response,
                               apr_pool_t *pool)
{
    if (json_is_string(token))
        return read_presentation(opening->findings,
                                 bytes_of(json_string_value(token)), response,
                                 pool);
    if (json_is_object(token))
        return read_token_object(opening, token, response, pool);
    return refuse(opening->findings, R(RESPONSE_MALFORMED),
                  "vp_token is missing", pool);
}

static idv_error_t *read_plain_token(const idv_wallet_opening_t *opening,
                                     idv_bytes_t text,
                                     idv_wallet_response_t *response,
                                     apr_pool_t *pool)
{
    json_t *token;

    if (text.length == 0 || text.data[0] != '{')
        return read_presentation(opening->findings, text, response, pool);
    IDV_TRY(judge(opening->findings, R(RESPONSE_MALFORMED),
                  idv_json_parse((const char *)text.data, text.length, &token,
                                 pool)));
    return read_token(opening, token, response, pool);
}

/* --- encrypted --- */

static idv_error_t *check_state(const idv_wallet_opening_t *opening,
                                const json_t *payload, apr_pool_t *pool)
{
    const char *wanted = opening->request->state;
    const char *state = json_string_value(json_object_get(payload, "state"));

    if (wanted && (!state || strcmp(state, wanted) != 0))
        return refuse(opening->findings, R(RESPONSE_STATE_WRONG),
                      "state differs from the request", pool);
    return NULL;
}

/* The error that a wallet reports instead of a response. */
static idv_error_t *refuse_error(const idv_wallet_opening_t *opening,
                                 const json_t *payload, apr_pool_t *pool)
{
    const char *code = json_string_value(json_object_get(payload, "error"));

    if (!code)
        return refuse(opening->findings, R(RESPONSE_MALFORMED),
                      "error is not a text", pool);
    return strcmp(code, IDV_WALLET_ERROR_DECLINED) == 0
             ? refuse(opening->findings, R(WALLET_DECLINED),
                      "the person declined", pool)
             : refuse(opening->findings, R(RESPONSE_STATUS_ERROR),
                      "the wallet reports an error", pool);
}

/* Non-zero for a response that can only be an unencrypted error. */
static int is_plain_error(const idv_mdl_request_t *request, idv_bytes_t text)
{
    return (request->channel == IDV_MDL_DC_API
            || request->channel == IDV_MDL_ISO_DC_API)
        && text.length > 0 && text.data[0] == '{';
}

static idv_error_t *read_plain_error(const idv_wallet_opening_t *opening,
                                     idv_bytes_t text, apr_pool_t *pool)
{
    json_t *payload;

    if (idv_json_parse((const char *)text.data, text.length, &payload, pool)
        || !json_object_get(payload, "error"))
        return refuse(opening->findings, R(RESPONSE_NOT_ENCRYPTED),
                      "the response is not encrypted", pool);
    return refuse_error(opening, payload, pool);
}

static idv_error_t *open_jwe(const idv_wallet_opening_t *opening,
                             idv_bytes_t text, idv_wallet_response_t *response,
                             apr_pool_t *pool)
{
    unsigned char *thumbprint = apr_palloc(pool, IDV_DIGEST_SIZE);
    json_t *payload;
    idv_jwe_t jwe;

    if (!memchr(text.data, '.', text.length))
        return refuse(opening->findings, R(RESPONSE_NOT_ENCRYPTED),
                      "the response is not encrypted", pool);
    IDV_TRY(judge(opening->findings, R(RESPONSE_NOT_DECRYPTED),
                  idv_jwe_open(text, opening->key,
                               opening->request->encryption_key_id, &jwe,
                               pool)));
    opening->findings->is_encrypted = 1;
    IDV_TRY(idv_p256_thumbprint(opening->key, thumbprint, pool));
    response->parts.thumbprint = (idv_bytes_t){ thumbprint, IDV_DIGEST_SIZE };
    response->parts.wallet_nonce = jwe.party_u;
    IDV_TRY(judge(opening->findings, R(RESPONSE_MALFORMED),
                  idv_json_parse((const char *)jwe.plain.data,
                                 jwe.plain.length, &payload, pool)));
    IDV_TRY(check_state(opening, payload, pool));
    if (json_object_get(payload, "error"))
        return refuse_error(opening, payload, pool);
    return read_token(opening, json_object_get(payload, "vp_token"), response,
                      pool);
}

/* ["dcapi", {"enc": bstr, "cipherText": bstr}] */
static idv_error_t *read_encrypted_response(idv_bytes_t text,
                                            idv_hpke_message_t *message,
                                            apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *outer, *name, *key, *sealed;
    idv_bytes_t bytes;

    IDV_TRY(idv_base64url_decode((const char *)text.data, text.length, &bytes,
                                 pool));
    IDV_TRY(idv_cbor_read(bytes, &budget, &outer, pool));
    name = idv_cbor_is(outer, IDV_CBOR_ARRAY) && outer->count == 2
               ? outer->first
               : NULL;
    key = name ? idv_cbor_member(name->next, "enc") : NULL;
    sealed = name ? idv_cbor_member(name->next, "cipherText") : NULL;
    if (!key || !sealed || !idv_cbor_text(name)
        || strcmp(idv_cbor_text(name), "dcapi") != 0
        || !idv_cbor_is(key, IDV_CBOR_BYTES)
        || !idv_cbor_is(sealed, IDV_CBOR_BYTES))
        return idv_error_param(pool, NULL, "The response is not of type "
                                           "dcapi.");
    message->encapsulated = key->content;
    message->sealed = sealed->content;
    return NULL;
}

/* Finds the mistake in the transcript with which the message can be
 * decrypted. */
static void explain_hpke(const idv_wallet_opening_t *opening,
                         idv_hpke_message_t *message, apr_pool_t *pool)
{
    idv_bytes_t plain;

    for (int i = IDV_HANDOVER_AS_AGREED + 1; i < IDV_HANDOVER_VARIANT_COUNT;
         i++) {
        message->information =
            idv_session_transcript(IDV_HANDOVER_ISO_18013_7_C, i,
                                   &opening->request->parts, pool);
        if (message->information.data
            && !idv_hpke_open(message, opening->key, &plain, pool)) {
            opening->findings->handover = IDV_HANDOVER_ISO_18013_7_C;
            opening->findings->handover_variant = i;
            return;
        }
    }
}

static idv_error_t *open_hpke(const idv_wallet_opening_t *opening,
                              idv_bytes_t text, idv_wallet_response_t *response,
                              apr_pool_t *pool)
{
    idv_hpke_message_t message = { .associated = { NULL, 0 } };
    idv_error_t *error;

    IDV_TRY(judge(opening->findings, R(RESPONSE_MALFORMED),
                  read_encrypted_response(text, &message, pool)));
    message.information = idv_session_transcript(
        IDV_HANDOVER_ISO_18013_7_C, IDV_HANDOVER_AS_AGREED,
        &opening->request->parts, pool);
    error =
        idv_hpke_open(&message, opening->key, &response->device_response, pool);
    if (error)
        explain_hpke(opening, &message, pool);
    else
        opening->findings->is_encrypted = 1;
    return judge(opening->findings, R(RESPONSE_NOT_DECRYPTED), error);
}

idv_error_t *idv_wallet_response_open(const idv_wallet_opening_t *opening,
                                      idv_bytes_t bytes,
                                      idv_wallet_response_t *response,
                                      apr_pool_t *pool)
{
    const idv_mdl_request_t *request = opening->request;

    memset(response, 0, sizeof(*response));
    response->parts = request->parts;
    if (bytes.length > IDV_WALLET_RESPONSE_MAX)
        return refuse(opening->findings, R(RESPONSE_MALFORMED),
                      "the response is too long", pool);
    if (request->channel == IDV_MDL_PROXIMITY) {
        response->device_response = bytes;
        return NULL;
    }
    if (opening->key && is_plain_error(request, bytes))
        return read_plain_error(opening, bytes, pool);
    if (request->channel == IDV_MDL_ISO_DC_API)
        return open_hpke(opening, bytes, response, pool);
    return opening->key ? open_jwe(opening, bytes, response, pool)
                        : read_plain_token(opening, bytes, response, pool);
}
