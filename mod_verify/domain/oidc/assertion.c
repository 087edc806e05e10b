/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/oidc/assertion.h"

#include <string.h>

#define JTI_MAX 255 /* bytes */

static const char *text_of(const idv_web_token_t *token, const char *name)
{
    return json_string_value(json_object_get(token->claims, name));
}

const char *idv_oidc_assertion_client(const idv_web_token_t *token)
{
    const char *subject = text_of(token, "sub"), *issuer = text_of(token, "iss");

    return subject && issuer && strcmp(subject, issuer) == 0 ? subject : NULL;
}

static int is_signed(const idv_web_token_t *token,
                     const idv_oidc_client_t *client, apr_pool_t *pool)
{
    for (size_t i = 0; i < json_array_size(client->keys); i++) {
        idv_web_key_t key;

        if (idv_web_key_parse(json_array_get(client->keys, i), &key, pool))
            continue;
        if (token->key_id && key.id && strcmp(token->key_id, key.id) != 0)
            continue;
        if (idv_web_token_is_by(token, &key, pool))
            return 1;
    }
    return 0;
}

static int is_listed(const json_t *name, const char *const *audiences)
{
    const char *text = json_string_value(name);

    for (int i = 0; text && audiences[i]; i++)
        if (strcmp(audiences[i], text) == 0)
            return 1;
    return 0;
}

static int is_for(const idv_web_token_t *token, const char *const *audiences)
{
    const json_t *audience = json_object_get(token->claims, "aud");

    for (size_t i = 0; i < json_array_size(audience); i++)
        if (is_listed(json_array_get(audience, i), audiences))
            return 1;
    return is_listed(audience, audiences);
}

/* Reads the time NAME; 0 if it is absent, a negative number if it is not a
 * number. */
static idv_time_t time_of(const idv_web_token_t *token, const char *name)
{
    const json_t *value = json_object_get(token->claims, name);
    double seconds = json_number_value(value);

    if (!value)
        return 0;
    return json_is_number(value) && seconds >= 1 && seconds < IDV_LATEST_SECOND
             ? (idv_time_t)seconds * IDV_SECOND
             : -1;
}

static int is_current(const idv_web_token_t *token, idv_time_t now)
{
    idv_time_t ends = time_of(token, "exp"), begins = time_of(token, "nbf");
    idv_time_t issued = time_of(token, "iat");
    idv_time_t latest = now + IDV_OIDC_CLOCK_SKEW;

    return ends > now - IDV_OIDC_CLOCK_SKEW
        && ends <= latest + IDV_OIDC_ASSERTION_MAX && begins >= 0
        && begins <= latest && issued >= 0 && issued <= latest;
}

idv_error_t *idv_oidc_assertion_check(const idv_web_token_t *token,
                                      const idv_oidc_assertion_place_t *place,
                                      const char **jti, apr_pool_t *pool)
{
    const char *client = idv_oidc_assertion_client(token);
    const char *fault = NULL;

    *jti = text_of(token, "jti");
    if (!client || strcmp(client, place->client->id) != 0)
        fault = "iss and sub must both be the client_id.";
    else if (!is_for(token, place->audiences))
        fault = "aud must be the issuer or the token endpoint.";
    else if (!is_current(token, place->now))
        fault = "exp must be at most ten minutes ahead.";
    else if (!*jti || !**jti || strlen(*jti) > JTI_MAX)
        fault = "jti is required.";
    else if (!is_signed(token, place->client, pool))
        fault = "The signature is not by a registered key.";
    return fault ? idv_error_param(pool, "client_assertion", "%s", fault)
                 : NULL;
}
