/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the chip is no copy: active authentication, secure messaging, and chip
 * authentication by relay. */
#include "unit/passport_relay_chip.h"

#include "methods/passport/active_authentication.h"
#include "methods/passport/secure_messaging.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))

static const unsigned char challenge_bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static const idv_bytes_t challenge = { challenge_bytes, 8 };
static const unsigned char seed[IDV_CHIP_RELAY_SEED_SIZE] = { 42 };

/* --- active authentication --- */

/* ISO/IEC 9796-2, scheme 1: opens to 6A, PART, hash, trailer. */
static idv_bytes_t sign_9796(apr_pool_t *pool, EVP_PKEY *key,
                             const char *digest, idv_bytes_t trailer,
                             idv_bytes_t text)
{
    size_t size = (size_t)EVP_PKEY_get_size(key), length = size;
    size_t hash = (size_t)EVP_MD_get_size(EVP_get_digestbyname(digest));
    size_t part = size - 1 - hash - trailer.length;
    unsigned char *opened = apr_palloc(pool, size);
    unsigned char *signature = apr_palloc(pool, size);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    idv_bytes_t hashed;

    opened[0] = 0x6a;
    memset(opened + 1, 0x5c, part);
    hashed = chip_hash(pool, digest, JOIN(pool, { opened + 1, part }, text));
    memcpy(opened + 1 + part, hashed.data, hash);
    memcpy(opened + 1 + part + hash, trailer.data, trailer.length);
    assert_int_equal(EVP_PKEY_sign_init(context), 1);
    assert_true(EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) > 0);
    assert_int_equal(EVP_PKEY_sign(context, signature, &length, opened, size),
                     1);
    assert_int_equal(length, size);
    EVP_PKEY_CTX_free(context);
    return (idv_bytes_t){ signature, length };
}

/* The modulus less the signature, which the standard has signers send when it
 * is the lesser. */
static idv_bytes_t complement(apr_pool_t *pool, const EVP_PKEY *key,
                              idv_bytes_t signature)
{
    BIGNUM *modulus = NULL;
    BIGNUM *number = BN_bin2bn(signature.data, (int)signature.length, NULL);
    unsigned char *other = apr_palloc(pool, signature.length);

    assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus),
                     1);
    assert_int_equal(BN_sub(number, modulus, number), 1);
    assert_int_equal(BN_bn2binpad(number, other, (int)signature.length),
                     signature.length);
    BN_free(modulus);
    BN_free(number);
    return (idv_bytes_t){ other, signature.length };
}

static void rsa_chips_sign_the_challenge(void **state)
{
    static const struct {
        const char *digest;
        idv_bytes_t trailer;
    } rows[] = {
        { "SHA1", { (const unsigned char *)"\xbc", 1 } },
        { "SHA1", { (const unsigned char *)"\x33\xcc", 2 } },
        { "SHA256", { (const unsigned char *)"\x34\xcc", 2 } },
        { "SHA512", { (const unsigned char *)"\x35\xcc", 2 } },
        { "SHA384", { (const unsigned char *)"\x36\xcc", 2 } },
        { "SHA224", { (const unsigned char *)"\x38\xcc", 2 } },
    };
    apr_pool_t *pool = *state;
    EVP_PKEY *key = chip_key(pool, "RSA", "SHA256").key;
    EVP_PKEY *clone = chip_key(pool, "RSA", "SHA256").key;
    idv_bytes_t info = chip_public_key(pool, key), none = BYTES("");
    idv_bytes_t other = with_other_byte(pool, challenge, 7);

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_bytes_t signature = sign_9796(pool, key, rows[i].digest,
                                          rows[i].trailer, challenge);

        assert_int_equal(
            idv_challenge_verify(info, none, challenge, signature, pool),
            IDV_CHALLENGE_SIGNED);
        assert_int_equal(
            idv_challenge_verify(info, none, challenge,
                                 complement(pool, key, signature), pool),
            IDV_CHALLENGE_SIGNED);
        /* Of another challenge, by another chip, altered, shorter. */
        assert_int_equal(
            idv_challenge_verify(info, none, other, signature, pool),
            IDV_CHALLENGE_NOT_SIGNED);
        assert_int_equal(
            idv_challenge_verify(info, none, challenge,
                                 sign_9796(pool, clone, rows[i].digest,
                                           rows[i].trailer, challenge),
                                 pool),
            IDV_CHALLENGE_NOT_SIGNED);
        assert_int_equal(
            idv_challenge_verify(info, none, challenge,
                                 with_other_byte(pool, signature, 100), pool),
            IDV_CHALLENGE_NOT_SIGNED);
        signature.length--;
        assert_int_equal(
            idv_challenge_verify(info, none, challenge, signature, pool),
            IDV_CHALLENGE_NOT_SIGNED);
    }
    /* RIPEMD-160, which OpenSSL has no longer, and a trailer that is none. */
    assert_int_equal(
        idv_challenge_verify(info, none, challenge,
                             sign_9796(pool, key, "SHA1", BYTES("\x31\xcc"),
                                       challenge),
                             pool),
        IDV_CHALLENGE_UNSUPPORTED);
    assert_int_equal(
        idv_challenge_verify(
            info, none, challenge,
            sign_9796(pool, key, "SHA1", BYTES("\x34\xac"), challenge), pool),
        IDV_CHALLENGE_NOT_SIGNED);
}

/* r and s of a signature, each as long as the order. */
static idv_bytes_t sign_plain(apr_pool_t *pool, const chip_key_t *key,
                              idv_bytes_t text)
{
    idv_bytes_t der = chip_sign(pool, key, text);
    const unsigned char *at = der.data;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)der.length);
    int half = (EVP_PKEY_get_bits(key->key) + 7) / 8;
    unsigned char *plain = apr_palloc(pool, (size_t)half * 2);

    assert_non_null(pair);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_r(pair), plain, half), half);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_s(pair), plain + half, half),
                     half);
    ECDSA_SIG_free(pair);
    return (idv_bytes_t){ plain, (apr_size_t)half * 2 };
}

static void ecdsa_chips_sign_the_challenge(void **state)
{
    static const struct {
        const char *curve, *digest;
        idv_bytes_t algorithm;
    } rows[] = {
#define PLAIN "\x04\x00\x7f\x00\x07\x01\x01\x04\x01"
        { "P-224", "SHA1", { (const unsigned char *)PLAIN "\x01", 10 } },
        { "P-224", "SHA224", { (const unsigned char *)PLAIN "\x02", 10 } },
        { "brainpoolP256r1", "SHA256",
          { (const unsigned char *)PLAIN "\x03", 10 } },
        { "P-384", "SHA384", { (const unsigned char *)PLAIN "\x04", 10 } },
        { "P-521", "SHA512", { (const unsigned char *)PLAIN "\x05", 10 } },
        { "P-256", "SHA256",
          { (const unsigned char *)"\x2a\x86\x48\xce\x3d\x04\x03\x02", 8 } },
    };
    apr_pool_t *pool = *state;
    idv_bytes_t other = with_other_byte(pool, challenge, 0), none = BYTES("");

    for (size_t i = 0; i < LENGTH(rows); i++) {
        chip_key_t key = chip_key(pool, rows[i].curve, rows[i].digest);
        chip_key_t clone = chip_key(pool, rows[i].curve, rows[i].digest);
        idv_bytes_t info = chip_public_key(pool, key.key);
        idv_bytes_t signature = sign_plain(pool, &key, challenge);

        assert_int_equal(idv_challenge_verify(info, rows[i].algorithm,
                                              challenge, signature, pool),
                         IDV_CHALLENGE_SIGNED);
        /* Where DG14 names no algorithm, too. */
        assert_int_equal(
            idv_challenge_verify(info, none, challenge, signature, pool),
            IDV_CHALLENGE_SIGNED);
        assert_int_equal(idv_challenge_verify(info, rows[i].algorithm, other,
                                              signature, pool),
                         IDV_CHALLENGE_NOT_SIGNED);
        assert_int_equal(
            idv_challenge_verify(info, rows[i].algorithm, challenge,
                                 sign_plain(pool, &clone, challenge), pool),
            IDV_CHALLENGE_NOT_SIGNED);
        assert_int_equal(
            idv_challenge_verify(info, BYTES(PLAIN "\x06"), challenge,
                                 signature, pool),
            IDV_CHALLENGE_UNSUPPORTED);
        signature.length--;
        assert_int_equal(
            idv_challenge_verify(info, none, challenge, signature, pool),
            IDV_CHALLENGE_NOT_SIGNED);
    }
    assert_int_equal(
        idv_challenge_verify(BYTES("\x30\0"), none, challenge, other, pool),
        IDV_CHALLENGE_UNSUPPORTED);
}

/* --- secure messaging --- */

/* The worked example of ICAO Doc 9303-11, appendix D. */
static void messages_are_those_of_the_standard(void **state)
{
    static const struct {
        unsigned char header[4];
        const char *data;
        int expected;
        const char *protected_command, *response, *answer;
    } rows[] = {
        { { 0x00, 0xA4, 0x02, 0x0C }, "011E", 0,
          "0CA4020C158709016375432908C044F68E08BF8B92D635FF24F800",
          "990290008E08FA855A5D4C50A8ED9000", "" },
        { { 0x00, 0xB0, 0x00, 0x00 }, "", 4,
          "0CB000000D9701048E08ED6705417E96BA5500",
          "8709019FF0EC34F9922651990290008E08AD55CC17140B2DED9000",
          "60145F01" },
        { { 0x00, 0xB0, 0x00, 0x04 }, "", 18,
          "0CB000040D9701128E082EA28A70F3C7B53500",
          "871901FB9235F4E4037F2327DCC8964F1F9B8C30F42C8E2FFF224A"
          "990290008E08C8B2787EAEA07D749000",
          "04303130365F36063034303030305C026175" },
    };
    apr_pool_t *pool = *state;
    idv_secure_channel_t channel;
    idv_bytes_t counter = from_hex(pool, "887022120C06C226"), data;
    int status;

    idv_secure_channel_open(
        &channel, IDV_CHIP_CIPHER_3DES,
        from_hex(pool, "0036D272F5C350ACAC50C3F572D23600"));
    memcpy(channel.counter, counter.data, counter.length);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_chip_apdu_t command = { .data = from_hex(pool, rows[i].data),
                                    .expected = rows[i].expected };

        memcpy(command.header, rows[i].header, 4);
        assert_bytes(idv_secure_channel_protect(&channel, &command, pool),
                     from_hex(pool, rows[i].protected_command));
        assert_null(idv_secure_channel_accept(
            &channel, from_hex(pool, rows[i].response), &data, &status, pool));
        assert_int_equal(status, 0x9000);
        assert_bytes(data, from_hex(pool, rows[i].answer));
    }
}

static void responses_fit_their_place_only(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t response = from_hex(
        pool, "8709019FF0EC34F9922651990290008E08AD55CC17140B2DED9000");
    idv_bytes_t counter = from_hex(pool, "887022120C06C229"), data;
    idv_secure_channel_t fresh, channel;
    int status;

    idv_secure_channel_open(
        &fresh, IDV_CHIP_CIPHER_3DES,
        from_hex(pool, "0036D272F5C350ACAC50C3F572D23600"));
    memcpy(fresh.counter, counter.data, counter.length);
    channel = fresh;
    assert_null(
        idv_secure_channel_accept(&channel, response, &data, &status, pool));
    /* Once more, and each byte but the status word outside. */
    assert_non_null(
        idv_secure_channel_accept(&channel, response, &data, &status, pool));
    for (int at = 0; at < (int)response.length - 2; at++) {
        channel = fresh;
        assert_non_null(idv_secure_channel_accept(
            &channel, with_other_byte(pool, response, at), &data, &status,
            pool));
        assert_int_equal(status, 0);
    }
    for (apr_size_t length = 0; length < response.length; length++) {
        channel = fresh;
        assert_non_null(idv_secure_channel_accept(
            &channel, (idv_bytes_t){ response.data, length }, &data, &status,
            pool));
    }
    /* The counter carries over all of its bytes. */
    memset(fresh.counter, 0xff, 8);
    idv_secure_channel_protect(
        &fresh, &(idv_chip_apdu_t){ .header = { 0, 0xB0, 0, 0 } }, pool);
    assert_memory_equal(fresh.counter, "\0\0\0\0\0\0\0\0", 8);
    idv_secure_channel_wipe(&fresh);
    assert_memory_equal(fresh.mac_key, "\0\0\0\0\0\0\0\0", 8);
}

/* --- chip authentication --- */

static idv_chip_relay_step_t next_step(const idv_chip_relay_t *relay,
                                       apr_pool_t *pool)
{
    idv_chip_relay_step_t step;

    assert_null(idv_chip_relay_step(relay, &step, pool));
    return step;
}

/* The status that one round with CHIP ends with; DG14 is what was dumped. */
static idv_chip_relay_status_t relay_once(apr_pool_t *pool, relay_chip_t *chip,
                                          idv_bytes_t dg14)
{
    idv_chip_relay_t relay = { .dg14 = dg14, .seed = seed };
    idv_chip_relay_step_t step = next_step(&relay, pool);
    idv_chip_answer_t answer;

    assert_int_equal(step.status, IDV_CHIP_RELAY_WAITS);
    answer = relay_chip_answers(chip, pool, &step);
    relay.answers = &answer;
    relay.answer_count = 1;
    return next_step(&relay, pool).status;
}

static void chips_prove_their_key(void **state)
{
    apr_pool_t *pool = *state;
    EVP_PKEY *explicit_curve =
        chip_key_explicit(pool, "brainpoolP224r1", "SHA1").key;
    const chip_way_t ways[] = {
        { IDV_CHIP_CIPHER_3DES, chip_key(pool, "P-224", "SHA1").key, 0, 0 },
        { IDV_CHIP_CIPHER_3DES, explicit_curve, 3, 0 },
        { IDV_CHIP_CIPHER_3DES, dh_key(pool, "DH", (char[]){ "ffdhe2048" }),
          0, 0 },
        { IDV_CHIP_CIPHER_AES_128, chip_key(pool, "P-256", "SHA1").key, 0, 0 },
        { IDV_CHIP_CIPHER_AES_128,
          chip_key(pool, "brainpoolP256r1", "SHA1").key, 7, 0 },
        { IDV_CHIP_CIPHER_AES_192, chip_key(pool, "P-384", "SHA1").key, 0, 0 },
        { IDV_CHIP_CIPHER_AES_128,
          chip_key(pool, "brainpoolP256r1", "SHA1").key, 7, 13 },
        { IDV_CHIP_CIPHER_AES_256, chip_key(pool, "P-521", "SHA1").key, 0, 0 },
        { IDV_CHIP_CIPHER_AES_128,
          dh_key(pool, "DH", (char[]){ "ffdhe3072" }), 0, 0 },
        { IDV_CHIP_CIPHER_AES_256,
          dh_key(pool, "DHX", (char[]){ "dh_2048_256" }), 1, 0 },
    };

    for (size_t i = 0; i < LENGTH(ways); i++) {
        chip_way_t copied = ways[i];
        relay_chip_t chip = { .ways = &ways[i], .way_count = 1 };
        relay_chip_t clone = { .ways = &copied, .way_count = 1 };

        chip.dg14 = relay_dg14(pool, &ways[i], 1, BYTES(""));
        assert_int_equal(relay_once(pool, &chip, chip.dg14),
                         IDV_CHIP_RELAY_PROVEN);
        /* A copy of all files, without the key. */
        if (!EVP_PKEY_is_a(ways[i].key, "EC")
            || ways[i].key == explicit_curve)
            continue;
        copied.key = EVP_PKEY_Q_keygen(
            NULL, NULL, "EC",
            ways[i].cipher == IDV_CHIP_CIPHER_3DES      ? "P-224"
            : ways[i].cipher == IDV_CHIP_CIPHER_AES_192 ? "P-384"
            : ways[i].cipher == IDV_CHIP_CIPHER_AES_256 ? "P-521"
            : ways[i].number                            ? "brainpoolP256r1"
                                                        : "P-256");
        clone.dg14 = chip.dg14;
        assert_int_equal(relay_once(pool, &clone, chip.dg14),
                         IDV_CHIP_RELAY_REFUSED);
        EVP_PKEY_free(copied.key);
    }
}

static void other_answers_prove_nothing(void **state)
{
    apr_pool_t *pool = *state;
    chip_way_t way = { IDV_CHIP_CIPHER_AES_128,
                       chip_key(pool, "P-256", "SHA1").key, 0, 0 };
    relay_chip_t chip = { .ways = &way, .way_count = 1 };
    idv_chip_answer_t answer, altered, replayed;
    idv_chip_relay_t relay = { .seed = seed };
    unsigned char other_seed[IDV_CHIP_RELAY_SEED_SIZE] = { 43 };
    idv_chip_relay_step_t step;
    idv_bytes_t last;

    relay.dg14 = chip.dg14 = relay_dg14(pool, &way, 1, BYTES(""));
    step = next_step(&relay, pool);
    assert_int_equal(step.command_count, 3);
    answer = relay_chip_answers(&chip, pool, &step);
    last = answer.responses[2];
    relay.answers = &altered;
    relay.answer_count = 1;
    for (int at = 0; at < (int)last.length - 2; at++) {
        altered = answer;
        altered.responses[2] = with_other_byte(pool, last, at);
        assert_int_equal(next_step(&relay, pool).status,
                         IDV_CHIP_RELAY_DISPROVEN);
    }
    /* Of another session. */
    replayed = answer;
    relay.answers = &replayed;
    relay.seed = other_seed;
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_DISPROVEN);
    relay.seed = seed;
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_PROVEN);
    /* Not all commands, a command that failed, an error in the clear. */
    replayed.count = 2;
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_REFUSED);
    replayed = answer;
    replayed.responses[1] = BYTES("\x63\x00");
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_REFUSED);
    replayed = answer;
    replayed.responses[2] = BYTES("\x69\x88");
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_REFUSED);
    replayed.responses[0] = BYTES("");
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_REFUSED);
    /* The right key, and another DG14. */
    chip.dg14 = with_other_byte(pool, chip.dg14, 12);
    assert_int_equal(relay_once(pool, &chip, relay.dg14),
                     IDV_CHIP_RELAY_OTHER_DATA);
}

/* Ways are tried one after the other, the strongest first. */
static void the_next_way_is_tried(void **state)
{
    apr_pool_t *pool = *state;
    chip_way_t ways[] = {
        { IDV_CHIP_CIPHER_3DES, chip_key(pool, "P-224", "SHA1").key, 1, 0 },
        { IDV_CHIP_CIPHER_AES_256, chip_key(pool, "P-256", "SHA1").key, 2, 0 },
        { IDV_CHIP_CIPHER_AES_128, chip_key(pool, "P-256", "SHA1").key, 3, 0 },
    };
    /* It can do the last of them only. */
    relay_chip_t chip = { .ways = ways, .way_count = 1 };
    idv_chip_answer_t answers[4];
    idv_chip_relay_t relay = { .seed = seed, .answers = answers };
    idv_chip_relay_step_t step;

    relay.dg14 = chip.dg14 = relay_dg14(pool, ways, 3, BYTES(""));
    for (int i = 0; i < 3; i++) {
        relay.answer_count = i;
        step = next_step(&relay, pool);
        assert_int_equal(step.status, IDV_CHIP_RELAY_WAITS);
        assert_int_equal(step.command_count, i == 2 ? 2 : 3);
        answers[i] = relay_chip_answers(&chip, pool, &step);
    }
    relay.answer_count = 3;
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_PROVEN);
    /* No answers after the end. */
    answers[3] = answers[2];
    relay.answer_count = 4;
    assert_non_null(idv_chip_relay_step(&relay, &step, pool));
    /* It can do none. */
    chip.way_count = 0;
    for (int i = 0; i < 3; i++) {
        relay.answer_count = i;
        step = next_step(&relay, pool);
        answers[i] = relay_chip_answers(&chip, pool, &step);
    }
    relay.answer_count = 3;
    assert_int_equal(next_step(&relay, pool).status, IDV_CHIP_RELAY_REFUSED);
}

static void chips_without_a_known_way_are_told_apart(void **state)
{
    apr_pool_t *pool = *state;
    EVP_PKEY *rsa = chip_key(pool, "RSA", "SHA1").key;
    EVP_PKEY *small = EVP_EC_gen("secp160r1");
    chip_way_t ways[] = { { IDV_CHIP_CIPHER_AES_128, rsa, 0, 0 },
                          { IDV_CHIP_CIPHER_AES_128, small, 0, 0 } };
    idv_chip_answer_t answer = { .count = 0 };
    idv_chip_relay_t relay = { .seed = seed, .answers = &answer };
    idv_chip_relay_step_t step;

    relay.dg14 = relay_dg14(pool, ways, 0, BYTES("\x2a\x03"));
    assert_int_equal(next_step(&relay, pool).status,
                     IDV_CHIP_RELAY_UNSUPPORTED);
    relay.dg14 = relay_dg14(pool, ways, 2, BYTES(""));
    assert_int_equal(next_step(&relay, pool).status,
                     IDV_CHIP_RELAY_UNSUPPORTED);
    relay.answer_count = 1;
    assert_non_null(idv_chip_relay_step(&relay, &step, pool));
    relay.dg14 = BYTES("\x6e\x00");
    relay.answer_count = 0;
    assert_non_null(idv_chip_relay_step(&relay, &step, pool));
    EVP_PKEY_free(small);
}

/* The same session asks the same, another session something else. */
static void steps_follow_from_the_seed(void **state)
{
    apr_pool_t *pool = *state;
    chip_way_t way = { IDV_CHIP_CIPHER_3DES,
                       chip_key(pool, "P-256", "SHA1").key, 0, 0 };
    unsigned char other[IDV_CHIP_RELAY_SEED_SIZE] = { 0 };
    idv_chip_relay_t relay = { .seed = seed };
    idv_chip_relay_step_t one, two;

    relay.dg14 = relay_dg14(pool, &way, 1, BYTES(""));
    one = next_step(&relay, pool);
    two = next_step(&relay, pool);
    assert_int_equal(one.command_count, 2);
    assert_bytes(one.commands[0].apdu, two.commands[0].apdu);
    assert_bytes(one.commands[1].apdu, two.commands[1].apdu);
    assert_int_equal(one.commands[0].is_protected, 0);
    assert_int_equal(one.commands[1].is_protected, 1);
    relay.seed = other;
    two = next_step(&relay, pool);
    assert_int_equal(one.commands[0].apdu.length, two.commands[0].apdu.length);
    assert_memory_not_equal(one.commands[0].apdu.data,
                            two.commands[0].apdu.data,
                            one.commands[0].apdu.length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(rsa_chips_sign_the_challenge),
        pooled_test(ecdsa_chips_sign_the_challenge),
        pooled_test(messages_are_those_of_the_standard),
        pooled_test(responses_fit_their_place_only),
        pooled_test(chips_prove_their_key),
        pooled_test(other_answers_prove_nothing),
        pooled_test(the_next_way_is_tried),
        pooled_test(chips_without_a_known_way_are_told_apart),
        pooled_test(steps_follow_from_the_seed),
    };

    return unit_run("passport/genuineness", tests);
}
