/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_PASSPORT_RELAY_CHIP_H
#define IDV_T_UNIT_PASSPORT_RELAY_CHIP_H

/*
 * The chip's side of chip authentication, for tests: it takes the commands of
 * the relay as they come out of an app's channel, and answers as ICAO Doc
 * 9303-11 has it. Nothing of the terminal's side is used in it: keys are agreed
 * upon by EVP_PKEY_derive(), MACs are built from single blocks.
 */
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "unit/passport_chip.h"

#include "methods/passport/chip_authentication.h"

#define CHIP_ARC "\x04\x00\x7f\x00\x07\x02\x02"

/* One way in DG14, and the key behind it. */
typedef struct {
    idv_chip_cipher_t cipher;
    EVP_PKEY *key;
    char number; /* key identifier; 0: none */
    char domain; /* number of the curve in DG14; 0: it is written out */
} chip_way_t;

typedef struct {
    idv_bytes_t dg14;       /* what is read from it */
    const chip_way_t *ways;
    int way_count;
    /* State. */
    const chip_way_t *selected;
    idv_bytes_t chain; /* data of a chain of commands so far */
    unsigned char encryption_key[32];
    unsigned char mac_key[32];
    unsigned char counter[16];
    int is_open;
} relay_chip_t;

/* A key of a named group: DH of PKCS #3 (ffdhe2048) or X9.42 (dh_2048_256). */
__attribute__((unused)) static EVP_PKEY *dh_key(apr_pool_t *pool,
                                                const char *kind, char *group)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_end()
    };
    EVP_PKEY *key = NULL;

    assert_int_equal(EVP_PKEY_keygen_init(context), 1);
    assert_int_equal(EVP_PKEY_CTX_set_params(context, parameters), 1);
    assert_int_equal(EVP_PKEY_generate(context, &key), 1);
    EVP_PKEY_CTX_free(context);
    apr_pool_cleanup_register(pool, key, free_chip_key, apr_pool_cleanup_null);
    return key;
}

/* The object identifier of a way; 1 and 3 are key and use. */
static idv_bytes_t way_object(apr_pool_t *pool, const chip_way_t *way, int what)
{
    char tail[3] = { (char)what, EVP_PKEY_is_a(way->key, "EC") ? 2 : 1,
                     (char)way->cipher };

    return JOIN(pool, BYTES(CHIP_ARC),
                { apr_pmemdup(pool, tail, 3), what == 1 ? 2 : 3 });
}

static idv_bytes_t way_number(apr_pool_t *pool, const chip_way_t *way)
{
    return way->number
               ? DER(pool, 2, { (const unsigned char *)&way->number, 1 })
               : BYTES("");
}

/* The key of a way, as DG14 has it. */
static idv_bytes_t way_public_key(apr_pool_t *pool, const chip_way_t *way)
{
    unsigned char *point = apr_palloc(pool, 256);
    size_t length = 0;

    if (!way->domain)
        return chip_public_key(pool, way->key);
    assert_int_equal(EVP_PKEY_get_octet_string_param(way->key,
                                                     OSSL_PKEY_PARAM_PUB_KEY,
                                                     point, 256, &length),
                     1);
    return DER(pool, 0x30,
               DER(pool, 0x30,
                   DER(pool, 6, BYTES("\x04\x00\x7f\x00\x07\x01\x02")),
                   DER(pool, 2, { (const unsigned char *)&way->domain, 1 })),
               DER(pool, 3, BYTES("\0"), { point, length }));
}

/* DG14 with the ways, and with the identifier ALGORITHM for active
 * authentication where it is not empty. */
__attribute__((unused)) static idv_bytes_t relay_dg14(apr_pool_t *pool,
                                                      const chip_way_t *ways,
                                                      int count,
                                                      idv_bytes_t algorithm)
{
    idv_bytes_t infos = BYTES("");

    if (algorithm.length > 0)
        infos = DER(pool, 0x30,
                    DER(pool, 6, BYTES("\x67\x81\x08\x01\x01\x05")),
                    BYTES("\x02\x01\x01"), DER(pool, 6, algorithm));
    for (int i = 0; i < count; i++)
        infos = JOIN(pool, infos,
                     DER(pool, 0x30, DER(pool, 6, way_object(pool, &ways[i], 1)),
                         way_public_key(pool, &ways[i]),
                         way_number(pool, &ways[i])),
                     DER(pool, 0x30, DER(pool, 6, way_object(pool, &ways[i], 3)),
                         BYTES("\x02\x01\x01"), way_number(pool, &ways[i])));
    return DER(pool, 0x6E, DER(pool, 0x31, infos));
}

/* --- keys --- */

static size_t block_of(const relay_chip_t *chip)
{
    return chip->selected->cipher == IDV_CHIP_CIPHER_3DES ? 8 : 16;
}

static const EVP_CIPHER *cipher_of(const relay_chip_t *chip, int is_cbc)
{
    switch (chip->selected->cipher) {
    case IDV_CHIP_CIPHER_3DES:
        return is_cbc ? EVP_des_ede_cbc() : EVP_des_ede_ecb();
    case IDV_CHIP_CIPHER_AES_128:
        return is_cbc ? EVP_aes_128_cbc() : EVP_aes_128_ecb();
    case IDV_CHIP_CIPHER_AES_192:
        return is_cbc ? EVP_aes_192_cbc() : EVP_aes_192_ecb();
    default:
        return is_cbc ? EVP_aes_256_cbc() : EVP_aes_256_ecb();
    }
}

static void one_block(const EVP_CIPHER *cipher, const unsigned char *key,
                      const unsigned char *iv, const unsigned char *in,
                      unsigned char *out, int length)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written;

    assert_int_equal(EVP_EncryptInit_ex(context, cipher, NULL, key, iv), 1);
    EVP_CIPHER_CTX_set_padding(context, 0);
    assert_int_equal(EVP_EncryptUpdate(context, out, &written, in, length), 1);
    assert_int_equal(written, length);
    EVP_CIPHER_CTX_free(context);
}

static void derive_key(const relay_chip_t *chip, apr_pool_t *pool,
                       idv_bytes_t secret, char number, unsigned char *key)
{
    const char *digest =
        chip->selected->cipher >= IDV_CHIP_CIPHER_AES_192 ? "SHA256" : "SHA1";
    char tail[4] = { 0, 0, 0, number };
    idv_bytes_t hash = chip_hash(
        pool, digest,
        JOIN(pool, secret, { (const unsigned char *)tail, 4 }));

    memcpy(key, hash.data, hash.length > 32 ? 32 : hash.length);
}

/* Agrees with the terminal's public key, and opens the channel. */
static void open_channel(relay_chip_t *chip, apr_pool_t *pool,
                         idv_bytes_t theirs)
{
    EVP_PKEY *peer = EVP_PKEY_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(chip->selected->key, NULL);
    size_t length = 1024, size = (size_t)EVP_PKEY_get_size(chip->selected->key);
    unsigned char *secret = apr_palloc(pool, length), zeros[1024] = { 0 };
    int is_ec = EVP_PKEY_is_a(chip->selected->key, "EC");

    if (!is_ec && theirs.length < size)
        theirs = JOIN(pool, { zeros, size - theirs.length }, theirs);
    assert_int_equal(EVP_PKEY_copy_parameters(peer, chip->selected->key), 1);
    assert_int_equal(
        EVP_PKEY_set1_encoded_public_key(peer, theirs.data, theirs.length), 1);
    assert_int_equal(EVP_PKEY_derive_init(context), 1);
    if (!is_ec)
        assert_true(EVP_PKEY_CTX_set_dh_pad(context, 1) > 0);
    assert_int_equal(EVP_PKEY_derive_set_peer(context, peer), 1);
    assert_int_equal(EVP_PKEY_derive(context, secret, &length), 1);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(peer);
    derive_key(chip, pool, (idv_bytes_t){ secret, length }, 1,
               chip->encryption_key);
    derive_key(chip, pool, (idv_bytes_t){ secret, length }, 2, chip->mac_key);
    memset(chip->counter, 0, sizeof(chip->counter));
    chip->is_open = 1;
}

/* --- messages --- */

static idv_bytes_t padded(apr_pool_t *pool, const relay_chip_t *chip,
                          idv_bytes_t text)
{
    static const unsigned char padding[16] = { 0x80 };

    return JOIN(pool, text,
                { padding, block_of(chip) - text.length % block_of(chip) });
}

/* The first eight bytes of the MAC over the counter and TEXT, which is padded. */
static idv_bytes_t mac_of(relay_chip_t *chip, apr_pool_t *pool,
                          idv_bytes_t text)
{
    idv_bytes_t all =
        JOIN(pool, { chip->counter, block_of(chip) }, text);
    unsigned char *mac = apr_pcalloc(pool, 16), single[16], block[8];
    size_t length;

    if (chip->selected->cipher != IDV_CHIP_CIPHER_3DES) {
        assert_non_null(EVP_Q_mac(
            NULL, "CMAC", NULL,
            EVP_CIPHER_get0_name(cipher_of(chip, 1)), NULL, chip->mac_key,
            (size_t)EVP_CIPHER_get_key_length(cipher_of(chip, 1)), all.data,
            all.length, mac, 16, &length));
        return (idv_bytes_t){ mac, 8 };
    }
    memcpy(single, chip->mac_key, 8);
    memcpy(single + 8, chip->mac_key, 8);
    for (size_t at = 0; at < all.length; at += 8) {
        for (int i = 0; i < 8; i++)
            block[i] = mac[i] ^ all.data[at + (size_t)i];
        one_block(EVP_des_ede_ecb(),
                  at + 8 < all.length ? single : chip->mac_key, NULL, block,
                  mac, 8);
    }
    return (idv_bytes_t){ mac, 8 };
}

static idv_bytes_t status_word(apr_pool_t *pool, int status)
{
    unsigned char bytes[2] = { (unsigned char)(status >> 8),
                               (unsigned char)status };

    return JOIN(pool, { bytes, 2 });
}

/* The protected READ BINARY that the relay ends with. */
static idv_bytes_t read_file(relay_chip_t *chip, apr_pool_t *pool,
                             idv_bytes_t apdu)
{
    idv_bytes_t head = { apdu.data, 4 }, expected, objects, iv_text, data;
    unsigned char iv[16] = { 0 }, *cryptogram;
    int asked;

    if (!chip->is_open || memcmp(apdu.data, "\x0C\xB0\x8E\0\x0D\x97\x01", 7) != 0)
        return status_word(pool, 0x6988);
    asked = apdu.data[7];
    chip->counter[block_of(chip) - 1]++;
    expected = mac_of(chip, pool,
                      JOIN(pool, padded(pool, chip, head),
                           padded(pool, chip, (idv_bytes_t){ apdu.data + 5, 3 })));
    if (apdu.length != 19 || apdu.data[8] != 0x8E || apdu.data[9] != 8
        || memcmp(apdu.data + 10, expected.data, 8) != 0)
        return status_word(pool, 0x6988);
    chip->counter[block_of(chip) - 1]++;
    iv_text = (idv_bytes_t){ chip->counter, 16 };
    if (chip->selected->cipher != IDV_CHIP_CIPHER_3DES)
        one_block(cipher_of(chip, 0), chip->encryption_key, NULL, iv_text.data,
                  iv, 16);
    data = padded(pool, chip, (idv_bytes_t){ chip->dg14.data, (apr_size_t)asked });
    cryptogram = apr_palloc(pool, data.length);
    one_block(cipher_of(chip, 1), chip->encryption_key, iv, data.data,
              cryptogram, (int)data.length);
    objects = JOIN(pool,
                   DER(pool, 0x87, BYTES("\x01"), { cryptogram, data.length }),
                   BYTES("\x99\x02\x90\x00"));
    return JOIN(pool, objects,
                DER(pool, 0x8E,
                    mac_of(chip, pool, padded(pool, chip, objects))),
                BYTES("\x90\x00"));
}

/* The element with the tag TAG among those of DATA; length 0: none. */
static idv_bytes_t element_in(idv_bytes_t data, apr_uint32_t tag)
{
    int fault = 0;
    idv_tlv_reader_t reader = idv_tlv_open(data, &fault);
    idv_bytes_t found = BYTES("");

    while (idv_tlv_has_more(&reader)) {
        idv_tlv_t element = idv_tlv_read(&reader);

        if (element.tag == tag)
            found = element.content;
    }
    assert_int_equal(fault, 0);
    return found;
}

/* The way with the number that DATA has, and the protocol for it. */
static int select_way(relay_chip_t *chip, apr_pool_t *pool, idv_bytes_t data,
                      int is_3des)
{
    idv_bytes_t number = element_in(data, 0x84);

    for (int i = 0; i < chip->way_count; i++) {
        const chip_way_t *way = &chip->ways[i];

        if ((way->cipher == IDV_CHIP_CIPHER_3DES) != is_3des
            || (number.length > 0) != (way->number != 0)
            || (way->number && number.data[0] != (unsigned char)way->number)
            || (!is_3des
                && !idv_bytes_equal(element_in(data, 0x80),
                                    way_object(pool, way, 3))))
            continue;
        chip->selected = way;
        return 1;
    }
    return 0;
}

/* The data of a command and its expected length, short or extended. */
static idv_bytes_t data_of(idv_bytes_t apdu)
{
    if (apdu.data[4] == 0 && apdu.length > 7)
        return (idv_bytes_t){ apdu.data + 7,
                              (apr_size_t)(apdu.data[5] << 8 | apdu.data[6]) };
    return (idv_bytes_t){ apdu.data + 5, apdu.data[4] };
}

/* What the chip answers to a command. */
__attribute__((unused)) static idv_bytes_t
relay_chip_answer(relay_chip_t *chip, apr_pool_t *pool,
                  const idv_chip_command_t *command)
{
    idv_bytes_t apdu = command->apdu, data = data_of(apdu);

    if (command->is_protected)
        return read_file(chip, pool, apdu);
    assert_true(data.data + data.length <= apdu.data + apdu.length);
    if (memcmp(apdu.data, "\x00\x22\x41\xA6", 4) == 0) {
        if (!select_way(chip, pool, data, 1))
            return status_word(pool, 0x6A80);
        open_channel(chip, pool, element_in(data, 0x91));
        return status_word(pool, 0x9000);
    }
    if (memcmp(apdu.data, "\x00\x22\x41\xA4", 4) == 0)
        return status_word(pool, select_way(chip, pool, data, 0) ? 0x9000
                                                                 : 0x6A80);
    if (memcmp(apdu.data + 1, "\x86\0\0", 3) != 0 || !chip->selected)
        return status_word(pool, 0x6985);
    chip->chain = JOIN(pool, chip->chain, data);
    if (apdu.data[0] == 0x10)
        return status_word(pool, 0x9000);
    open_channel(chip, pool, element_in(element_in(chip->chain, 0x7C), 0x80));
    return JOIN(pool, BYTES("\x7C\0"), status_word(pool, 0x9000));
}

/* Answers of the chip to all commands of a step. */
__attribute__((unused)) static idv_chip_answer_t
relay_chip_answers(relay_chip_t *chip, apr_pool_t *pool,
                   const idv_chip_relay_step_t *step)
{
    idv_chip_answer_t answer = { .count = 0 };

    chip->chain = BYTES("");
    chip->selected = NULL;
    chip->is_open = 0;
    for (int i = 0; i < step->command_count; i++)
        answer.responses[answer.count++] =
            relay_chip_answer(chip, pool, &step->commands[i]);
    return answer;
}

#endif
