/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/chip_authentication.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>

#include "methods/passport/public_key.h"
#include "methods/passport/secure_messaging.h"
#include "methods/passport/tlv.h"

/* Bytes of DG14 that are read from the chip. */
#define READ_LENGTH 16
/* Bytes of data per command of a chain; the app's channel adds to them. */
#define CHAIN_LENGTH 208
/* Bits of a private key in a group with an unknown or needlessly large order:
 * more than twice the security that attacks on the largest prime leave. */
#define EXPONENT_BITS 512
#define SECRET_MAX 1024 /* bytes of the longest key or secret */
#define KEY_ID_MAX 16   /* bytes of a key's number */
#define STATUS_GOOD 0x9000

static void must(int succeeded)
{
    if (!succeeded)
        abort();
}

/* Our public key, encoded for sending, and the secret shared with the chip. */
typedef struct {
    unsigned char ours[SECRET_MAX];
    size_t ours_length;
    unsigned char secret[SECRET_MAX];
    size_t secret_length;
} agreement_t;

/* --- agreement on a key --- */

/* Derives LENGTH bytes from the seed and the number of the protocol. */
static void expand_seed(const unsigned char *seed, int number,
                        unsigned char *bytes, size_t length)
{
    static const char purpose[] = "chip authentication";
    unsigned char way = (unsigned char)number;
    EVP_MD_CTX *context = EVP_MD_CTX_new();

    must(context != NULL
         && EVP_DigestInit_ex2(context, EVP_shake256(), NULL) == 1
         && EVP_DigestUpdate(context, purpose, sizeof(purpose)) == 1
         && EVP_DigestUpdate(context, seed, IDV_CHIP_RELAY_SEED_SIZE) == 1
         && EVP_DigestUpdate(context, &way, 1) == 1
         && EVP_DigestFinalXOF(context, bytes, length) == 1);
    EVP_MD_CTX_free(context);
}

/* A private key from 1 to LIMIT - 1: a number with eight extra bytes, modulo
 * LIMIT - 1, plus 1 (FIPS 186-4, B.1.1). */
static BIGNUM *private_key(const unsigned char *seed, int number,
                           const BIGNUM *limit)
{
    size_t length = (size_t)BN_num_bytes(limit) + 8;
    unsigned char *bytes = OPENSSL_malloc(length);
    BN_CTX *context = BN_CTX_new();
    BIGNUM *key, *range = BN_dup(limit);

    must(bytes != NULL && context != NULL && range != NULL);
    expand_seed(seed, number, bytes, length);
    key = BN_bin2bn(bytes, (int)length, NULL);
    must(key != NULL && BN_sub_word(range, 1) == 1
         && BN_mod(key, key, range, context) == 1 && BN_add_word(key, 1) == 1);
    BN_set_flags(key, BN_FLG_CONSTTIME);
    OPENSSL_clear_free(bytes, length);
    BN_CTX_free(context);
    BN_free(range);
    return key;
}

/* The chip's point; NULL if it is not on the curve. */
static EC_POINT *point_of(const EVP_PKEY *key, const EC_GROUP *curve)
{
    unsigned char encoded[SECRET_MAX];
    size_t length = 0;
    EC_POINT *point = EC_POINT_new(curve);

    if (point
        && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY,
                                           encoded, sizeof(encoded), &length)
               == 1
        && EC_POINT_oct2point(curve, point, encoded, length, NULL) == 1
        && EC_POINT_is_on_curve(curve, point, NULL) == 1
        && !EC_POINT_is_at_infinity(curve, point))
        return point;
    EC_POINT_free(point);
    return NULL;
}

/* The shared secret is the x coordinate, as long as the field (BSI TR-03111,
 * 4.3.1); zero if the keys give none. */
static int share_point(const EC_GROUP *curve, const EC_POINT *theirs,
                       const BIGNUM *key, agreement_t *agreement)
{
    int field = (EC_GROUP_get_degree(curve) + 7) / 8, shared;
    EC_POINT *point = EC_POINT_new(curve);
    BIGNUM *x = BN_new();

    must(point != NULL && x != NULL
         && EC_POINT_mul(curve, point, key, NULL, NULL, NULL) == 1);
    agreement->ours_length =
        EC_POINT_point2oct(curve, point, POINT_CONVERSION_UNCOMPRESSED,
                           agreement->ours, sizeof(agreement->ours), NULL);
    must(agreement->ours_length > 0
         && EC_POINT_mul(curve, point, NULL, theirs, key, NULL) == 1);
    shared = !EC_POINT_is_at_infinity(curve, point);
    if (shared)
        must(EC_POINT_get_affine_coordinates(curve, point, x, NULL, NULL) == 1
             && BN_bn2binpad(x, agreement->secret, field) == field);
    agreement->secret_length = (size_t)field;
    EC_POINT_clear_free(point);
    BN_clear_free(x);
    return shared;
}

static int agree_ecdh(const EVP_PKEY *theirs, const unsigned char *seed,
                      int number, agreement_t *agreement, apr_pool_t *pool)
{
    EC_GROUP *curve;
    EC_POINT *point;
    BIGNUM *key;
    int agreed;

    if (!EVP_PKEY_is_a(theirs, "EC")
        || idv_public_key_curve(theirs, &curve, pool))
        return 0;
    point = point_of(theirs, curve);
    if (!point)
        return 0;
    key = private_key(seed, number, EC_GROUP_get0_order(curve));
    agreed = share_point(curve, point, key, agreement);
    BN_clear_free(key);
    EC_POINT_free(point);
    return agreed;
}

/* The numbers of a group of PKCS #3 or X9.42. */
typedef struct {
    BIGNUM *prime, *generator, *order, *theirs;
} group_t;

static void free_group(group_t *group)
{
    BN_free(group->prime);
    BN_free(group->generator);
    BN_free(group->order);
    BN_free(group->theirs);
}

/* Non-zero if NUMBER is between 2 and the prime minus two. */
static int is_inside(const BIGNUM *number, const BIGNUM *prime)
{
    BIGNUM *last = BN_dup(prime);
    int inside = last != NULL && BN_sub_word(last, 1) == 1
              && !BN_is_zero(number) && !BN_is_one(number)
              && !BN_is_negative(number) && BN_cmp(number, last) < 0;

    BN_free(last);
    return inside;
}

static int read_group(const EVP_PKEY *key, group_t *group)
{
    if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_P, &group->prime) != 1
        || EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_G, &group->generator)
               != 1
        || EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PUB_KEY, &group->theirs)
               != 1)
        return 0;
    EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_Q, &group->order);
    return BN_is_odd(group->prime) && is_inside(group->generator, group->prime)
        && is_inside(group->theirs, group->prime)
        && (!group->order || BN_num_bits(group->order) >= 160);
}

/* The shared secret has the length of the prime (PKCS #3, 8.3). */
static int agree_dh(const EVP_PKEY *theirs, const unsigned char *seed,
                    int number, agreement_t *agreement)
{
    BN_CTX *context = BN_CTX_new();
    BIGNUM *limit = BN_new(), *key, *result = BN_new();
    group_t group = {NULL, NULL, NULL, NULL};
    int size, good = 0;

    must(context != NULL && limit != NULL && result != NULL
         && BN_set_bit(limit, EXPONENT_BITS) == 1);
    if ((EVP_PKEY_is_a(theirs, "DH") || EVP_PKEY_is_a(theirs, "DHX"))
        && read_group(theirs, &group)) {
        size = BN_num_bytes(group.prime);
        key = private_key(seed, number,
                          group.order && BN_cmp(group.order, limit) < 0
                              ? group.order
                              : limit);
        must(BN_mod_exp_mont_consttime(result, group.generator, key,
                                       group.prime, context, NULL)
             == 1);
        agreement->ours_length = (size_t)BN_bn2bin(result, agreement->ours);
        must(BN_mod_exp_mont_consttime(result, group.theirs, key, group.prime,
                                       context, NULL)
                 == 1
             && BN_bn2binpad(result, agreement->secret, size) == size);
        agreement->secret_length = (size_t)size;
        good = !BN_is_one(result);
        BN_clear_free(key);
    }
    free_group(&group);
    BN_clear_free(result);
    BN_free(limit);
    BN_CTX_free(context);
    return good;
}

/* Zero if the chip's key has another type than DG14 says, or is unusable. */
static int agree(const idv_chip_key_t *way, const unsigned char *seed,
                 int number, agreement_t *agreement, apr_pool_t *pool)
{
    EVP_PKEY *key;

    if (idv_public_key_read(way->public_key, &key, pool))
        return 0;
    if (way->agreement == IDV_KEY_AGREEMENT_ECDH)
        return agree_ecdh(key, seed, number, agreement, pool);
    return agree_dh(key, seed, number, agreement);
}

/* --- commands --- */

/* Bytes that are appended, in a buffer large enough for every command. */
typedef struct {
    unsigned char *data;
    size_t length;
} writer_t;

static void put(writer_t *writer, const void *bytes, size_t length)
{
    memcpy(writer->data + writer->length, bytes, length);
    writer->length += length;
}

static void put_byte(writer_t *writer, int byte)
{
    writer->data[writer->length++] = (unsigned char)byte;
}

static void put_element(writer_t *writer, int tag, const void *bytes,
                        size_t length)
{
    put_byte(writer, tag);
    if (length > 0xff) {
        put_byte(writer, 0x82);
        put_byte(writer, (int)(length >> 8));
    } else if (length > 0x7f) {
        put_byte(writer, 0x81);
    }
    put_byte(writer, (int)(length & 0xff));
    put(writer, bytes, length);
}

static writer_t new_writer(apr_pool_t *pool)
{
    return (writer_t){apr_palloc(pool, SECRET_MAX + 128), 0};
}

/* Adds the command HEADER (four bytes) with DATA, and with an expected length
 * of 256 bytes if IS_ANSWERED. Data of more than 255 bytes use extended
 * lengths. */
static void add_command(idv_chip_relay_step_t *step, const char *header,
                        writer_t data, int is_answered, apr_pool_t *pool)
{
    writer_t apdu = new_writer(pool);
    int is_extended = data.length > 0xff;

    must(step->command_count < IDV_CHIP_RELAY_COMMANDS_MAX);
    put(&apdu, header, 4);
    if (is_extended) {
        put_byte(&apdu, 0);
        put_byte(&apdu, (int)(data.length >> 8));
    }
    put_byte(&apdu, (int)(data.length & 0xff));
    put(&apdu, data.data, data.length);
    if (is_answered)
        put_byte(&apdu, 0);
    if (is_answered && is_extended)
        put_byte(&apdu, 0);
    step->commands[step->command_count++] =
        (idv_chip_command_t){{apdu.data, apdu.length}, 0};
}

/* GENERAL AUTHENTICATE with our key, chained if it is long (ISO/IEC 7816-4,
 * 5.1.1). */
static void add_general_authenticate(idv_chip_relay_step_t *step,
                                     const agreement_t *agreement,
                                     apr_pool_t *pool)
{
    writer_t key = new_writer(pool), data = new_writer(pool);

    put_element(&key, 0x80, agreement->ours, agreement->ours_length);
    put_element(&data, 0x7C, key.data, key.length);
    while (data.length > CHAIN_LENGTH) {
        add_command(step, "\x10\x86\0\0", (writer_t){data.data, CHAIN_LENGTH},
                    0, pool);
        data.data += CHAIN_LENGTH;
        data.length -= CHAIN_LENGTH;
    }
    add_command(step, "\x00\x86\0\0", data, 1, pool);
}

/* 9303-11, 6.2.4: the commands for the key agreement. */
static void add_agreement(idv_chip_relay_step_t *step,
                          const idv_chip_key_t *way,
                          const agreement_t *agreement, apr_pool_t *pool)
{
    writer_t data = new_writer(pool);
    int is_3des = way->cipher == IDV_CHIP_CIPHER_3DES;

    if (is_3des)
        put_element(&data, 0x91, agreement->ours, agreement->ours_length);
    else
        put_element(&data, 0x80, way->protocol.data, way->protocol.length);
    if (way->key_id.length > 0)
        put_element(&data, 0x84, way->key_id.data, way->key_id.length);
    add_command(step, is_3des ? "\x00\x22\x41\xA6" : "\x00\x22\x41\xA4", data,
                0, pool);
    if (!is_3des)
        add_general_authenticate(step, agreement, pool);
}

/* A protected READ BINARY of the file with the short identifier 0E, DG14's. The
 * channel is then ready for the response. */
static void add_reading(idv_chip_relay_step_t *step,
                        idv_secure_channel_t *channel, apr_pool_t *pool)
{
    idv_chip_apdu_t read = {.header = {0x00, 0xB0, 0x80 | 0x0E, 0x00},
                            .expected = READ_LENGTH};

    must(step->command_count < IDV_CHIP_RELAY_COMMANDS_MAX);
    step->commands[step->command_count++] = (idv_chip_command_t){
        idv_secure_channel_protect(channel, &read, pool), 1};
}

/* --- steps --- */

/* The status word of a response; 0 if it has none. */
static int status_of(idv_bytes_t response)
{
    if (response.length < 2)
        return 0;
    return response.data[response.length - 2] << 8
         | response.data[response.length - 1];
}

/* Evaluates the response to STEP. A chip that does not protect its response
 * reports that it did not understand, but anybody could have sent that. */
static idv_chip_relay_status_t judge(const idv_chip_relay_t *relay,
                                     const idv_chip_relay_step_t *step,
                                     const idv_chip_answer_t *answer,
                                     idv_secure_channel_t *channel,
                                     apr_pool_t *pool)
{
    idv_bytes_t data, last;
    int status;

    if (answer->count != step->command_count)
        return IDV_CHIP_RELAY_REFUSED;
    for (int i = 0; i < answer->count - 1; i++)
        if (status_of(answer->responses[i]) != STATUS_GOOD)
            return IDV_CHIP_RELAY_REFUSED;
    last = answer->responses[answer->count - 1];
    if (last.length <= 2)
        return IDV_CHIP_RELAY_REFUSED;
    if (idv_secure_channel_accept(channel, last, &data, &status, pool))
        return IDV_CHIP_RELAY_DISPROVEN;
    if (data.length > relay->dg14.length
        || (data.length > 0
            && memcmp(data.data, relay->dg14.data, data.length) != 0))
        return IDV_CHIP_RELAY_OTHER_DATA;
    return IDV_CHIP_RELAY_PROVEN;
}

/* One protocol that DG14 names, its number there, and the chip's response. */
typedef struct {
    const idv_chip_key_t *way;
    int number;
    const idv_chip_answer_t *answer; /* NULL: none so far */
} attempt_t;

/* The step of one protocol or, with a response, its result. */
static idv_chip_relay_status_t attempt(const idv_chip_relay_t *relay,
                                       attempt_t tried,
                                       idv_chip_relay_step_t *step,
                                       apr_pool_t *pool)
{
    const idv_chip_key_t *way = tried.way;
    idv_chip_relay_status_t status = IDV_CHIP_RELAY_UNSUPPORTED;
    idv_secure_channel_t channel;
    agreement_t agreement;

    step->command_count = 0;
    if (way->key_id.length <= KEY_ID_MAX
        && agree(way, relay->seed, tried.number, &agreement, pool)) {
        idv_secure_channel_open(
            &channel, way->cipher,
            (idv_bytes_t){agreement.secret, agreement.secret_length});
        add_agreement(step, way, &agreement, pool);
        add_reading(step, &channel, pool);
        status = tried.answer ? judge(relay, step, tried.answer, &channel, pool)
                              : IDV_CHIP_RELAY_WAITS;
        idv_secure_channel_wipe(&channel);
    }
    OPENSSL_cleanse(&agreement, sizeof(agreement));
    ERR_clear_error(); /* points outside their curve leave errors */
    return status;
}

static idv_error_t *check_answers(const idv_chip_relay_t *relay,
                                  apr_pool_t *pool)
{
    int good = relay->answer_count >= 0
            && relay->answer_count <= IDV_CHIP_RELAY_ANSWERS_MAX;

    for (int i = 0; good && i < relay->answer_count; i++) {
        const idv_chip_answer_t *answer = &relay->answers[i];

        good =
            answer->count >= 0 && answer->count <= IDV_CHIP_RELAY_COMMANDS_MAX;
        for (int k = 0; good && k < answer->count; k++)
            good = answer->responses[k].length <= IDV_CHIP_RELAY_RESPONSE_MAX;
    }
    return good ? NULL
                : idv_error_param(pool, "responses",
                                  "There are too many responses, or one is too "
                                  "long.");
}

/* Unsupported protocols use up no response. */
idv_error_t *idv_chip_relay_step(const idv_chip_relay_t *relay,
                                 idv_chip_relay_step_t *step, apr_pool_t *pool)
{
    idv_security_infos_t infos;
    int used = 0;

    IDV_TRY(check_answers(relay, pool));
    IDV_TRY(idv_dg14_read(relay->dg14, &infos, pool));
    memset(step, 0, sizeof(*step));
    step->status = IDV_CHIP_RELAY_UNSUPPORTED;
    for (int i = 0; i < infos.key_count; i++) {
        attempt_t tried = {&infos.keys[i], i,
                           used < relay->answer_count ? &relay->answers[used]
                                                      : NULL};
        idv_chip_relay_status_t status = attempt(relay, tried, step, pool);

        if (status == IDV_CHIP_RELAY_UNSUPPORTED)
            continue;
        used += tried.answer != NULL;
        step->status = status;
        if (status != IDV_CHIP_RELAY_REFUSED)
            break;
    }
    if (step->status != IDV_CHIP_RELAY_WAITS)
        step->command_count = 0;
    if (used < relay->answer_count)
        return idv_error_param(pool, "responses", "The relay has already "
                                                  "ended.");
    return NULL;
}
