/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/captcha.h"

#include <string.h>

#include <apr_escape.h>
#include <apr_strings.h>

static const struct {
    const char *name, *url;
} providers[] = {
#define X(name, url) {name, url},
    IDV_CAPTCHA_PROVIDERS(X)
#undef X
};

/* Faults of what the operator configured, not of the token. */
static const char *const our_faults[] = {
    "missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch",
    "bad-request", "internal-error"};

const char *idv_captcha_url(const char *provider)
{
    for (size_t i = 0; i < sizeof(providers) / sizeof(*providers); i++)
        if (strcmp(providers[i].name, provider) == 0)
            return providers[i].url;
    return NULL;
}

const char *idv_captcha_form(const char *secret, const char *token,
                             const char *remote_ip, apr_pool_t *pool)
{
    return apr_pstrcat(pool, "secret=", apr_pescape_urlencoded(pool, secret),
                       "&response=", apr_pescape_urlencoded(pool, token),
                       remote_ip ? "&remoteip=" : NULL,
                       remote_ip ? apr_pescape_urlencoded(pool, remote_ip)
                                 : NULL,
                       NULL);
}

static int is_our_fault(const char *code)
{
    for (size_t i = 0; i < sizeof(our_faults) / sizeof(*our_faults); i++)
        if (code && strcmp(our_faults[i], code) == 0)
            return 1;
    return 0;
}

idv_captcha_verdict_t idv_captcha_judge(idv_bytes_t answer, apr_pool_t *pool)
{
    json_t *object, *success, *score, *code;
    size_t index;

    if (idv_json_parse((const char *)answer.data, answer.length, &object, pool))
        return IDV_CAPTCHA_FAILED;
    success = json_object_get(object, "success");
    score = json_object_get(object, "score");
    if (!json_is_boolean(success))
        return IDV_CAPTCHA_FAILED;
    json_array_foreach (json_object_get(object, "error-codes"), index, code)
        if (is_our_fault(json_string_value(code)))
            return IDV_CAPTCHA_FAILED;
    if (json_is_false(success)
        || (json_is_number(score)
            && json_number_value(score) < IDV_CAPTCHA_SCORE_MIN))
        return IDV_CAPTCHA_REFUSED;
    return IDV_CAPTCHA_PASSED;
}
