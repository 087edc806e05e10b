/* SPDX-License-Identifier: Apache-2.0 */
/* What is issued is recognized, and nothing that is a little different. */
#include "unit/unit.h"

#include <apr_strings.h>

#include "core/id.h"
#include "domain/value/issued_secret.h"

#define ORGANIZATION "org_00000000000000000000000001"
#define SESSION "vks_00000000000000000000000002"
#define GRANT "trg_00000000000000000000000003"

static const idv_keyring_t keyring = {.secret = {1}, .identifier = {2}};

/* TEXT with the character at INDEX changed into another that a secret has. */
static const char *altered(const char *text, size_t index, apr_pool_t *pool)
{
    char *other = apr_pstrdup(pool, text);

    other[index] = other[index] == 'a' ? 'b' : 'a';
    return other;
}

static void makes_keys(void **state)
{
    apr_pool_t *pool = *state;

    for (int i = 0; i < IDV_KEY_TYPE_COUNT; i++) {
        const char *key = idv_api_key_new(i, pool);
        idv_key_type_t type;

        assert_true(idv_api_key_is_well_formed(key, &type));
        assert_int_equal(type, i);
        assert_int_equal(strlen(key), 7 + 43);
        assert_string_not_equal(key, idv_api_key_new(i, pool));
        assert_int_equal(idv_key_type_of_name(idv_key_type_name(i)), i);
        for (size_t at = 0; at < 7; at++)
            if (idv_api_key_is_well_formed(altered(key, at, pool), &type))
                fail_msg("a key with another character at %zu", at);
        assert_false(idv_api_key_is_well_formed(
            apr_pstrcat(pool, key, " ", NULL), &type));
        assert_false(idv_api_key_is_well_formed(
            apr_pstrmemdup(pool, key, 7 + 31), &type));
    }
}

static void recognizes_older_keys(void **state)
{
    idv_key_type_t type;

    (void)state;
    assert_true(idv_api_key_is_well_formed(
        "svc_pk_test_0123456789012345678901234567", &type));
    assert_int_equal(type, IDV_KEY_PUBLISHABLE);
}

static void makes_client_secrets(void **state)
{
    apr_pool_t *pool = *state;
    const char *secret = idv_client_secret_new(SESSION, ORGANIZATION, pool);
    const char *session_id, *organization_id;
    const char *const bad[] = {
        "",
        SESSION,
        SESSION "_secret_",
        SESSION "_secret_abc",
        "vks_1_secret_00000000000000000000000001abc",
        SESSION "_revoke_00000000000000000000000001abc",
        SESSION "_secret_0000000000000000000000000Uabc",
        apr_pstrcat(pool, secret, apr_psprintf(pool, "%0250d", 0), NULL),
    };

    assert_null(
        idv_client_secret_parse(secret, &session_id, &organization_id, pool));
    assert_string_equal(session_id, SESSION);
    assert_string_equal(organization_id, ORGANIZATION);
    assert_string_not_equal(secret,
                            idv_client_secret_new(SESSION, ORGANIZATION, pool));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_int_equal(
            idv_client_secret_parse(bad[i], &session_id, &organization_id, pool)
                ->code,
            IDV_E_CLIENT_SECRET_INVALID);
}

static idv_error_t *decode(const char *text, idv_bytes_t *key, apr_pool_t *pool)
{
    idv_bytes_t secret = {(const unsigned char *)text, strlen(text)};

    return idv_webhook_secret_decode(
        secret, apr_palloc(pool, IDV_WEBHOOK_SECRET_BYTES_MAX), key, pool);
}

static void makes_signing_secrets(void **state)
{
    static const char *const bad[] = {"", "whsec_", "whsec_*", "WHSEC_AAAA"};
    apr_pool_t *pool = *state;
    const char *secret = idv_webhook_secret_new(pool);
    idv_bytes_t key;

    assert_null(decode(secret, &key, pool));
    assert_int_equal(key.length, 32);
    assert_string_not_equal(secret, idv_webhook_secret_new(pool));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(decode(bad[i], &key, pool));
    assert_non_null(decode(
        apr_psprintf(pool, "whsec_%0*d", IDV_WEBHOOK_SECRET_BYTES_MAX + 1, 0),
        &key, pool));
}

static void makes_tokens_again(void **state)
{
    apr_pool_t *pool = *state;
    const char *token = idv_vp_token_text(&keyring, "cred_1", pool);

    assert_string_equal(token, idv_vp_token_text(&keyring, "cred_1", pool));
    assert_string_not_equal(token, idv_vp_token_text(&keyring, "cred_2", pool));
    assert_true(idv_vp_token_is_shaped(token));
    assert_false(idv_vp_token_is_shaped(altered(token, 0, pool)));
    assert_false(idv_vp_token_is_shaped(apr_pstrcat(pool, token, "a", NULL)));
    assert_false(
        idv_vp_token_is_shaped(apr_pstrmemdup(pool, token, strlen(token) - 1)));
    assert_false(idv_vp_token_is_shaped(""));
    assert_int_equal(strlen(idv_credential_hash(&keyring, "cred_1", pool)), 64);
    assert_string_not_equal(idv_credential_hash(&keyring, "cred_1", pool),
                            idv_credential_hash(&keyring, "cred_2", pool));
}

static void makes_links_that_nobody_else_can(void **state)
{
    static const idv_keyring_t other = {.secret = {2}};
    apr_pool_t *pool = *state;
    const char *link =
        idv_trust_reuse_link_secret(&keyring, ORGANIZATION, GRANT, pool);
    const char *organization_id, *grant_id;

    assert_null(idv_trust_reuse_link_parse(&keyring, link, &organization_id,
                                           &grant_id, pool));
    assert_string_equal(organization_id, ORGANIZATION);
    assert_string_equal(grant_id, GRANT);
    for (size_t i = 0; link[i]; i++)
        if (!idv_trust_reuse_link_parse(&keyring, altered(link, i, pool),
                                        &organization_id, &grant_id, pool))
            fail_msg("a link with another character at %zu", i);
    assert_non_null(idv_trust_reuse_link_parse(&other, link, &organization_id,
                                               &grant_id, pool));
    assert_non_null(
        idv_trust_reuse_link_parse(&keyring, apr_pstrcat(pool, link, "0", NULL),
                                   &organization_id, &grant_id, pool));
    assert_non_null(idv_trust_reuse_link_parse(&keyring, NULL, &organization_id,
                                               &grant_id, pool));
}

static void makes_tokens_of_handoffs(void **state)
{
    apr_pool_t *pool = *state;
    const char *organization_id = idv_id_new(IDV_ID_ORGANIZATION, 1, pool);
    const char *token = idv_handoff_token_new(organization_id, pool);
    const char *read;

    assert_int_equal(strlen(token), 48);
    assert_null(idv_handoff_token_parse(token, &read, pool));
    assert_string_equal(read, organization_id);
    assert_string_not_equal(token, idv_handoff_token_new(organization_id, pool));
    assert_int_equal(
        idv_handoff_token_parse(token + 1, &read, pool)->code,
        IDV_E_HANDOFF_INVALID);
    assert_non_null(idv_handoff_token_parse(
        apr_pstrcat(pool, token, "A", NULL), &read, pool));
    assert_non_null(idv_handoff_token_parse("", &read, pool));
    assert_non_null(idv_handoff_token_parse(
        "________________________________________________", &read, pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(makes_keys),
        pooled_test(recognizes_older_keys),
        pooled_test(makes_client_secrets),
        pooled_test(makes_signing_secrets),
        pooled_test(makes_tokens_again),
        pooled_test(makes_links_that_nobody_else_can),
        pooled_test(makes_tokens_of_handoffs),
    };

    return unit_run("domain/issued_secret", tests);
}
