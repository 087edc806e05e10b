/* SPDX-License-Identifier: Apache-2.0 */
/* COSE: headers, signatures and keys of the shapes that are allowed. */
#include "unit/mdl_wallet.h"

static idv_error_t *read_message(const char *hex, idv_cose_message_t *message,
                                 apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item;

    assert_null(idv_cbor_read(from_hex(hex, pool), &budget, &item, pool));
    return idv_cose_read(item, &budget, message, pool);
}

static idv_error_t *read_key(const char *hex, EVP_PKEY **key, apr_pool_t *pool)
{
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *item;

    assert_null(idv_cbor_read(from_hex(hex, pool), &budget, &item, pool));
    return idv_cose_key(item, key, pool);
}

static void messages_have_four_parts(void **state)
{
    idv_cose_message_t message;

    assert_null(read_message("8443a10126a0f64100", &message, *state));
    assert_true(message.is_detached);
    assert_int_equal(message.algorithm, -7);
    assert_null(read_message("8443a10126a041004100", &message, *state));
    assert_false(message.is_detached);
    assert_int_equal(message.payload.length, 1);
    /* An empty header may be no bytes at all (RFC 9052, 3). */
    assert_null(read_message("8440a0f64100", &message, *state));
    assert_int_equal(message.algorithm, 0);
}

static void other_messages_are_refused(void **state)
{
    static const char *const rows[] = {
        "d28443a10126a0f64100",       /* tagged */
        "8343a10126a0f6",             /* three parts */
        "8543a10126a0f6410000",       /* five */
        "84a10126a0f64100",           /* a protected header that is a map */
        "844101a0f64100",             /* and one that holds a number */
        "8443a1012680f64100",         /* an unprotected array */
        "8443a10126a0f54100",         /* a payload that is true */
        "8443a10126a0f66161",         /* a signature that is text */
        "8443a10126a10126f64100",     /* the algorithm in both headers */
        "8446a20126028104a0f64100",   /* "crit" */
        "8443a10126a1028104f64100",   /* "crit" where it may not be, too */
        "8444a1012600a0f64100",       /* something behind the header */
    };
    idv_cose_message_t message;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (!read_message(rows[i], &message, *state))
            fail_msg("row %d was read", (int)i);
}

static void the_first_certificate_is_the_signers(void **state)
{
    static const char *const good[] = { "8440a1182142aabbf64100",
                                        "8440a118218242aabb42ccddf64100",
                                        "8440a118218142aabbf64100" };
    static const char *const bad[] = {
        "8440a0f64100", "8440a1182140f64100", "8440a1182180f64100",
        "8440a118218101f64100", "8440a11821626162f64100",
        "8440a1182189410141014101410141014101410141014101f64100"
    };
    idv_cose_message_t message;
    idv_bytes_t certificate;

    for (size_t i = 0; i < 3; i++) {
        assert_null(read_message(good[i], &message, *state));
        assert_null(
            idv_cose_signer_certificate(&message, &certificate, *state));
        assert_int_equal(certificate.length, 2);
        assert_memory_equal(certificate.data, "\xaa\xbb", 2);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_null(read_message(bad[i], &message, *state));
        assert_non_null(
            idv_cose_signer_certificate(&message, &certificate, *state));
    }
}

#define X                                                                      \
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
#define Y                                                                      \
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

static void keys_are_public_points(void **state)
{
    EVP_PKEY *key, *other;

    assert_null(read_key("a401022001215820" X "225820" Y, &key, *state));
    assert_int_equal(idv_curve_of(key), IDV_CURVE_P256);
    /* y by its sign: this one is odd. */
    assert_null(read_key("a401022001215820" X "22f5", &other, *state));
    assert_int_equal(EVP_PKEY_eq(key, other), 1);
    assert_null(read_key("a401022001215820" X "22f4", &other, *state));
    assert_int_equal(EVP_PKEY_eq(key, other), 0);
    assert_null(read_key("a301012006215820" X, &key, *state));
    assert_int_equal(idv_curve_of(key), IDV_CURVE_ED25519);
}

static void other_keys_are_refused(void **state)
{
    static const char *const rows[] = {
        "a401012001215820" X "225820" Y,   /* P-256 as OKP */
        "a401022006215820" X "225820" Y,   /* Ed25519 as EC2 */
        "a401022008215820" X "225820" Y,   /* secp256k1 */
        "a401022002215820" X "225820" Y,   /* short for P-384 */
        "a301022001215820" X,              /* no y */
        "a401022001215820" X "225820" X,   /* no point of the curve */
        "a501022001215820" X "225820" Y "23420000", /* private */
        "a32001215820" X "225820" Y,       /* no type */
        "80",
    };
    EVP_PKEY *key;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (!read_key(rows[i], &key, *state))
            fail_msg("row %d was read", (int)i);
}

static void signatures_are_as_wide_as_their_curve(void **state)
{
    EVP_PKEY *key = new_key("P-256", *state);
    idv_bytes_t payload = BYTES("payload"), header, good;
    unsigned char longer[80] = { 0 };
    idv_cose_message_t message;

    assert_null(read_message("8443a10126a0f64100", &message, *state));
    header = message.protected_bytes;
    good = sign(key, "SHA256",
                to_be_signed("Signature1", header, payload, *state), *state);
    assert_int_equal(good.length, 64);
    memcpy(longer, good.data, good.length);
    for (apr_size_t length = 0; length <= sizeof(longer); length++) {
        message.signature = (idv_bytes_t){ longer, length };
        assert_int_equal(
            idv_cose_verify_signature(&message, payload, key, *state),
            length == 64 ? IDV_COSE_VALID : IDV_COSE_WRONG);
    }
    memset(longer, 0, sizeof(longer));
    message.signature.length = 64;
    assert_int_equal(idv_cose_verify_signature(&message, payload, key, *state),
                     IDV_COSE_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(messages_have_four_parts),
        pooled_test(other_messages_are_refused),
        pooled_test(the_first_certificate_is_the_signers),
        pooled_test(keys_are_public_points),
        pooled_test(other_keys_are_refused),
        pooled_test(signatures_are_as_wide_as_their_curve),
    };

    return unit_run("mdl_cose", tests);
}
