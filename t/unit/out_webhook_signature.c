/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "out/webhook_signature.h"

/* The example of the Standard Webhooks 1.0 reference libraries. */
static const char secret[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
static const idv_webhook_message_t message = {
    .event_id = "msg_p5jXN8AQM9LWM0D4loKWxJek",
    .body = "{\"test\": 2432232314}",
    .body_length = 20,
    .timestamp = 1614265330,
};

static idv_error_t *create(const char *text, idv_webhook_signer_t **signer,
                           apr_pool_t *pool)
{
    idv_bytes_t bytes = {(const unsigned char *)text, strlen(text)};

    return idv_webhook_signer_create(bytes, signer, pool, pool);
}

/* Twice: a signer is used again and again. */
static void signs_as_the_standard_says(void **state)
{
    idv_webhook_signer_t *signer;
    const char *value;

    assert_null(create(secret, &signer, *state));
    for (int i = 0; i < 2; i++) {
        assert_null(idv_webhook_sign_standard(signer, &message, &value, *state));
        assert_string_equal(value,
                            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}

/* Computed with: printf '1614265330.{"test": 2432232314}' |
 *   openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
static void signs_with_the_whole_secret(void **state)
{
    idv_webhook_signer_t *signer;
    const char *value;

    assert_null(create(secret, &signer, *state));
    for (int i = 0; i < 2; i++) {
        assert_null(idv_webhook_sign(signer, &message, &value, *state));
        assert_string_equal(
            value,
            "t=1614265330,v1="
            "2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964");
    }
}

static void refuses_secrets_of_another_form(void **state)
{
    static const char *const wrong[] = {"", "whsec", "whsec_", "whsek_AAAA",
                                        "AAAA", "whsec_AA!A"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        idv_webhook_signer_t *signer = NULL;

        if (!create(wrong[i], &signer, *state))
            fail_msg("accepted: '%s'", wrong[i]);
        if (signer)
            fail_msg("half a signer of '%s'", wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(signs_as_the_standard_says),
        pooled_test(signs_with_the_whole_secret),
        pooled_test(refuses_secrets_of_another_form),
    };

    return unit_run("out/webhook_signature", tests);
}
