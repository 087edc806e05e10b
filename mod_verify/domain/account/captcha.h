/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_CAPTCHA_H
#define IDV_DOMAIN_ACCOUNT_CAPTCHA_H

/*
 * Requests to captcha providers and the meaning of their answers. Turnstile,
 * hCaptcha and reCAPTCHA share one protocol ("siteverify"): a form with
 * `secret`, `response` and `remoteip`, answered with a JSON object whose
 * `success` member decides.
 *
 * Memory: results live in the given pool. Threads: pure. Failures: only the
 * verdict.
 */
#include "core/crypto.h"
#include "core/json.h"

/* Name and verification URL. */
#define IDV_CAPTCHA_PROVIDERS(X)                                               \
    X("turnstile", "https://challenges.cloudflare.com/turnstile/v0/siteverify") \
    X("hcaptcha", "https://api.hcaptcha.com/siteverify")                       \
    X("recaptcha", "https://www.google.com/recaptcha/api/siteverify")

/* Minimum score, for providers that return one (reCAPTCHA v3). */
#define IDV_CAPTCHA_SCORE_MIN 0.5

typedef enum {
    IDV_CAPTCHA_PASSED,
    IDV_CAPTCHA_REFUSED, /* a person may try again with a new token */
    IDV_CAPTCHA_FAILED   /* no usable answer, or our request was refused */
} idv_captcha_verdict_t;

/* The provider's URL; NULL for an unknown name. */
const char *idv_captcha_url(const char *provider);

/* The form to send. REMOTE_IP may be NULL. Holds SECRET: wipe it. */
const char *idv_captcha_form(const char *secret, const char *token,
                             const char *remote_ip, apr_pool_t *pool);

/* Interprets the provider's ANSWER. Anything that is not a valid answer, or
 * that rejects our secret, is IDV_CAPTCHA_FAILED. */
idv_captcha_verdict_t idv_captcha_judge(idv_bytes_t answer, apr_pool_t *pool);

#endif
