/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_CAPTCHA_H
#define IDV_DOMAIN_ACCOUNT_CAPTCHA_H

/*
 * What a captcha provider is asked and what its answer means. Turnstile,
 * hCaptcha and reCAPTCHA share one protocol ("siteverify"): a form with
 * `secret`, `response` and `remoteip`, answered with a JSON object whose
 * `success` counts.
 *
 * Memory: results live in the given pool. Threads: pure. Failures: none but the
 * verdict.
 */
#include "core/crypto.h"
#include "core/json.h"

/* Name and where its tokens are verified. */
#define IDV_CAPTCHA_PROVIDERS(X)                                               \
    X("turnstile", "https://challenges.cloudflare.com/turnstile/v0/siteverify") \
    X("hcaptcha", "https://api.hcaptcha.com/siteverify")                       \
    X("recaptcha", "https://www.google.com/recaptcha/api/siteverify")

/* The least score of providers that give one (reCAPTCHA v3). */
#define IDV_CAPTCHA_SCORE_MIN 0.5

typedef enum {
    IDV_CAPTCHA_PASSED,
    IDV_CAPTCHA_REFUSED, /* a person may try again with a new token */
    IDV_CAPTCHA_FAILED   /* the provider did not answer, or not us */
} idv_captcha_verdict_t;

/* The provider's address; NULL for an unknown name. */
const char *idv_captcha_url(const char *provider);

/* The form to send. REMOTE_IP may be NULL. Holds SECRET: wipe it. */
const char *idv_captcha_form(const char *secret, const char *token,
                             const char *remote_ip, apr_pool_t *pool);

/* What the provider's ANSWER says; anything that is not such an answer, or
 * that faults our secret, is IDV_CAPTCHA_FAILED. */
idv_captcha_verdict_t idv_captcha_judge(idv_bytes_t answer, apr_pool_t *pool);

#endif
