/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/oidc/authorization.h"

#include <string.h>

#include <apr_escape.h>
#include <apr_lib.h>
#include <apr_strings.h>

#include "core/web_token.h"

#define CHALLENGE_LENGTH 43 /* SHA-256 in base64url */
#define VERIFIER_MIN 43
#define VERIFIER_MAX 128
#define AGE_DIGITS_MAX 9

/* --- errors --- */

static const struct {
    const char *value;
    int status;
} errors[] = {
#define X(name, value, status) [IDV_OIDC_##name] = {value, status},
    IDV_OIDC_ERRORS(X)
#undef X
};

const char *idv_oidc_error_value(idv_oidc_error_code_t code)
{
    return errors[code].value;
}

int idv_oidc_error_status(idv_oidc_error_code_t code)
{
    return errors[code].status;
}

/* --- scopes --- */

static const char *const scope_names[] = {
#define X(name, value) value,
    IDV_OIDC_SCOPES(X)
#undef X
};

/* Whether TEXT, words between spaces, has WORD. */
static int has_word(const char *text, const char *word)
{
    apr_size_t length = strlen(word);

    while (*text) {
        apr_size_t found = strcspn(text, " ");

        if (found == length && strncmp(text, word, length) == 0)
            return 1;
        text += found;
        text += strspn(text, " ");
    }
    return 0;
}

const char *idv_oidc_scopes_text(unsigned scopes, apr_pool_t *pool)
{
    const char *text = "openid";

    for (int i = 0; i < IDV_OIDC_SCOPE_COUNT; i++)
        if (scopes & (1u << i))
            text = apr_pstrcat(pool, text, " ", scope_names[i], NULL);
    return text;
}

unsigned idv_oidc_scopes_parse(const char *text)
{
    unsigned scopes = 0;

    for (int i = 0; i < IDV_OIDC_SCOPE_COUNT; i++)
        if (has_word(text, scope_names[i]))
            scopes |= 1u << i;
    return scopes;
}

/* --- the request --- */

/* A parameter without a value counts as omitted (RFC 6749, 3.1). */
static const char *text_of(const json_t *parameters, const char *name)
{
    const char *text = json_string_value(json_object_get(parameters, name));

    return text && *text ? text : NULL;
}

static idv_oidc_error_t fault(idv_oidc_error_code_t code, const char *reason)
{
    return (idv_oidc_error_t){code, reason};
}

static const idv_oidc_error_t no_fault = {IDV_OIDC_NO_ERROR, NULL};

static idv_oidc_error_t check_objects(const json_t *parameters)
{
    if (text_of(parameters, "request"))
        return fault(IDV_OIDC_REQUEST_NOT_SUPPORTED,
                     "Pass the parameters themselves instead of request.");
    if (text_of(parameters, "request_uri"))
        return fault(IDV_OIDC_REQUEST_URI_NOT_SUPPORTED,
                     "Pass the parameters themselves instead of request_uri.");
    if (text_of(parameters, "registration"))
        return fault(IDV_OIDC_REGISTRATION_NOT_SUPPORTED,
                     "Register the client with its operator.");
    return no_fault;
}

static idv_oidc_error_t check_response(const json_t *parameters)
{
    const char *type = text_of(parameters, "response_type");
    const char *mode = text_of(parameters, "response_mode");

    if (!type)
        return fault(IDV_OIDC_INVALID_REQUEST,
                     "response_type is required. Pass code.");
    if (strcmp(type, "code") != 0)
        return fault(IDV_OIDC_UNSUPPORTED_RESPONSE_TYPE,
                     "response_type must be code.");
    if (mode && strcmp(mode, "query") != 0)
        return fault(IDV_OIDC_INVALID_REQUEST, "response_mode must be query.");
    return no_fault;
}

static idv_oidc_error_t read_scope(const json_t *parameters, unsigned *scopes)
{
    const char *scope = text_of(parameters, "scope");

    if (!scope || !has_word(scope, "openid"))
        return fault(IDV_OIDC_INVALID_SCOPE,
                     "scope must contain openid, for example openid age.");
    *scopes = idv_oidc_scopes_parse(scope);
    return no_fault;
}

/* Whether TEXT has LEAST to MOST characters of base64url, or of a verifier if
 * IS_VERIFIER. */
static int is_token(const char *text, apr_size_t least, apr_size_t most,
                    int is_verifier)
{
    apr_size_t length = strlen(text);

    for (const char *c = text; *c; c++)
        if (!(apr_isalnum(*c) || strchr(is_verifier ? "-._~" : "-_", *c)))
            return 0;
    return length >= least && length <= most;
}

static idv_oidc_error_t read_challenge(const json_t *parameters,
                                       const char **challenge)
{
    const char *method = text_of(parameters, "code_challenge_method");

    *challenge = text_of(parameters, "code_challenge");
    if (!*challenge)
        return fault(IDV_OIDC_INVALID_REQUEST,
                     "code_challenge is required (PKCE, RFC 7636).");
    if (!method || strcmp(method, "S256") != 0)
        return fault(IDV_OIDC_INVALID_REQUEST,
                     "code_challenge_method must be S256.");
    return is_token(*challenge, CHALLENGE_LENGTH, CHALLENGE_LENGTH, 0)
             ? no_fault
             : fault(IDV_OIDC_INVALID_REQUEST,
                     "code_challenge must be a SHA-256 in base64url.");
}

static idv_oidc_error_t read_prompt(const json_t *parameters,
                                    idv_oidc_authorization_t *authorization)
{
    static const char *const fresh[] = {"login", "consent", "select_account"};
    const char *prompt = text_of(parameters, "prompt");

    if (!prompt)
        return no_fault;
    authorization->is_silent = strcmp(prompt, "none") == 0;
    for (size_t i = 0; i < sizeof(fresh) / sizeof(*fresh); i++)
        authorization->is_fresh |= has_word(prompt, fresh[i]);
    return authorization->is_silent
                || (authorization->is_fresh && !has_word(prompt, "none"))
             ? no_fault
             : fault(IDV_OIDC_INVALID_REQUEST, "prompt must be none or login.");
}

static idv_oidc_error_t read_max_age(const json_t *parameters,
                                     apr_int64_t *max_age)
{
    const char *text = text_of(parameters, "max_age");
    apr_size_t digits = text ? strspn(text, "0123456789") : 0;

    *max_age = -1;
    if (!text)
        return no_fault;
    if (text[digits] || digits > AGE_DIGITS_MAX)
        return fault(IDV_OIDC_INVALID_REQUEST,
                     "max_age must be a number of seconds.");
    *max_age = apr_atoi64(text);
    return no_fault;
}

/* STATE and NONCE come back unchanged, so they are limited. */
static idv_oidc_error_t read_echoes(const json_t *parameters,
                                    idv_oidc_authorization_t *authorization)
{
    const char *state = text_of(parameters, "state");
    const char *nonce = text_of(parameters, "nonce");

    if (state && strlen(state) > IDV_OIDC_STATE_MAX)
        return fault(IDV_OIDC_INVALID_REQUEST, "state is too long.");
    authorization->state = state;
    if (nonce && strlen(nonce) > IDV_OIDC_NONCE_MAX)
        return fault(IDV_OIDC_INVALID_REQUEST, "nonce is too long.");
    authorization->nonce = nonce;
    return no_fault;
}

void idv_oidc_authorization_read(const json_t *parameters,
                                 idv_oidc_authorization_t *authorization)
{
    idv_oidc_error_t *error = &authorization->error;

    memset(authorization, 0, sizeof(*authorization));
    authorization->id_token_hint = text_of(parameters, "id_token_hint");
    *error = read_echoes(parameters, authorization);
    if (!error->code)
        *error = check_objects(parameters);
    if (!error->code)
        *error = check_response(parameters);
    if (!error->code)
        *error = read_scope(parameters, &authorization->scopes);
    if (!error->code)
        *error = read_challenge(parameters, &authorization->challenge);
    if (!error->code)
        *error = read_prompt(parameters, authorization);
    if (!error->code)
        *error = read_max_age(parameters, &authorization->max_age);
}

/* --- the response --- */

static const char *encoded(const char *text, apr_pool_t *pool)
{
    return apr_pescape_urlencoded(pool, text);
}

static const char *return_with(const idv_oidc_return_t *back,
                               const char *parameters, apr_pool_t *pool)
{
    const char *separator = strchr(back->redirect_uri, '?') ? "&" : "?";
    const char *state =
        back->state
            ? apr_pstrcat(pool, "&state=", encoded(back->state, pool), NULL)
            : "";

    return apr_pstrcat(pool, back->redirect_uri, separator, parameters, state,
                       "&iss=", encoded(back->issuer, pool), NULL);
}

const char *idv_oidc_return_code(const idv_oidc_return_t *back,
                                 const char *code, apr_pool_t *pool)
{
    return return_with(back, apr_pstrcat(pool, "code=", code, NULL), pool);
}

const char *idv_oidc_return_error(const idv_oidc_return_t *back,
                                  const idv_oidc_error_t *error,
                                  apr_pool_t *pool)
{
    return return_with(
        back,
        apr_pstrcat(pool, "error=", errors[error->code].value,
                    "&error_description=", encoded(error->reason, pool), NULL),
        pool);
}

int idv_oidc_verifier_fits(const char *verifier, const char *challenge,
                           apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const char *text;

    if (!is_token(verifier, VERIFIER_MIN, VERIFIER_MAX, 1))
        return 0;
    idv_sha256(verifier, strlen(verifier), digest);
    text = idv_base64url((idv_bytes_t){digest, sizeof(digest)}, pool);
    return strlen(challenge) == strlen(text)
        && idv_equal_constant_time(text, challenge, strlen(text));
}
