/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/secure_messaging.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "methods/passport/tlv.h"

#define DES_BLOCK 8
#define AES_BLOCK 16
#define RESPONSE_MAX 65536

/* The properties of each cipher, by idv_chip_cipher_t. */
static const struct {
    int key_length;
    size_t block;
    const EVP_CIPHER *(*cbc)(void);
    const EVP_CIPHER *(*ecb)(void);
    const char *mac_cipher;        /* of CMAC; NULL: the retail MAC */
    const EVP_MD *(*digest)(void); /* of the key derivation */
} ciphers[] = {
    [IDV_CHIP_CIPHER_3DES] = {16, DES_BLOCK, EVP_des_ede_cbc, NULL, NULL,
                              EVP_sha1},
    [IDV_CHIP_CIPHER_AES_128] = {16, AES_BLOCK, EVP_aes_128_cbc,
                                 EVP_aes_128_ecb, "AES-128-CBC", EVP_sha1},
    [IDV_CHIP_CIPHER_AES_192] = {24, AES_BLOCK, EVP_aes_192_cbc,
                                 EVP_aes_192_ecb, "AES-192-CBC", EVP_sha256},
    [IDV_CHIP_CIPHER_AES_256] = {32, AES_BLOCK, EVP_aes_256_cbc,
                                 EVP_aes_256_ecb, "AES-256-CBC", EVP_sha256},
};

/* Without memory, no message can be trusted. */
static void must(int succeeded)
{
    if (!succeeded)
        abort();
}

/* --- primitives --- */

/* A cipher with its key and initial vector. */
typedef struct {
    const EVP_CIPHER *cipher;
    const unsigned char *key;
    const unsigned char *iv; /* NULL: no chaining */
    int is_encryption;
} keyed_cipher_t;

/* Encrypts or decrypts whole blocks of INPUT into OUTPUT, which may be the
 * same. */
static void run_cipher(keyed_cipher_t keyed, idv_bytes_t input,
                       unsigned char *output)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length = 0;

    must(context != NULL
         && EVP_CipherInit_ex2(context, keyed.cipher, keyed.key, keyed.iv,
                               keyed.is_encryption, NULL)
                == 1
         && EVP_CIPHER_CTX_set_padding(context, 0) == 1
         && EVP_CipherUpdate(context, output, &length, input.data,
                             (int)input.length)
                == 1
         && length == (int)input.length);
    EVP_CIPHER_CTX_free(context);
}

/* KDF(secret, number), 9303-11, 9.7.1.1. */
static void derive(idv_chip_cipher_t cipher, idv_bytes_t secret,
                   unsigned char number, unsigned char *key)
{
    unsigned char tail[4] = {0, 0, 0, number}, hash[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context = EVP_MD_CTX_new();

    must(context != NULL
         && EVP_DigestInit_ex2(context, ciphers[cipher].digest(), NULL) == 1
         && EVP_DigestUpdate(context, secret.data, secret.length) == 1
         && EVP_DigestUpdate(context, tail, sizeof(tail)) == 1
         && EVP_DigestFinal_ex(context, hash, NULL) == 1);
    EVP_MD_CTX_free(context);
    memcpy(key, hash, (size_t)ciphers[cipher].key_length);
    OPENSSL_cleanse(hash, sizeof(hash));
}

/* CBC of single DES over all blocks; the last one is then decrypted with the
 * second half of the key and encrypted with the first. Together, that is 3DES
 * of the last block. */
static void retail_mac(const unsigned char *key, idv_bytes_t text,
                       unsigned char *mac, apr_pool_t *pool)
{
    unsigned char single[16], iv[DES_BLOCK] = {0};
    unsigned char *chain = apr_palloc(pool, text.length);
    size_t before = text.length - DES_BLOCK;

    memcpy(single, key, DES_BLOCK);
    memcpy(single + DES_BLOCK, key, DES_BLOCK);
    if (before > 0) {
        run_cipher((keyed_cipher_t){EVP_des_ede_cbc(), single, iv, 1},
                   (idv_bytes_t){text.data, before}, chain);
        memcpy(iv, chain + before - DES_BLOCK, DES_BLOCK);
    }
    run_cipher((keyed_cipher_t){EVP_des_ede_cbc(), key, iv, 1},
               (idv_bytes_t){text.data + before, DES_BLOCK}, mac);
    OPENSSL_cleanse(single, sizeof(single));
}

static size_t padded_length(size_t length, size_t block)
{
    return (length / block + 1) * block;
}

/* Pads LENGTH bytes by ISO/IEC 9797-1, method 2, in a buffer with room for
 * it. */
static size_t pad(unsigned char *text, size_t length, size_t block)
{
    size_t padded = padded_length(length, block);

    text[length] = 0x80;
    memset(text + length + 1, 0, padded - length - 1);
    return padded;
}

static void mac_of(idv_chip_cipher_t cipher, const unsigned char *key,
                   idv_bytes_t text, unsigned char *mac, apr_pool_t *pool)
{
    unsigned char whole[AES_BLOCK];
    size_t size = 0;

    if (!ciphers[cipher].mac_cipher) {
        retail_mac(key, text, mac, pool);
        return;
    }
    must(EVP_Q_mac(NULL, "CMAC", NULL, ciphers[cipher].mac_cipher, NULL, key,
                   (size_t)ciphers[cipher].key_length, text.data, text.length,
                   whole, sizeof(whole), &size)
         != NULL);
    memcpy(mac, whole, IDV_SECURE_CHANNEL_MAC_SIZE);
}

/* The MAC over the counter and two parts, each of which is padded. An empty
 * first part is omitted. */
static void authenticate(const idv_secure_channel_t *channel, idv_bytes_t head,
                         idv_bytes_t body, unsigned char *mac, apr_pool_t *pool)
{
    size_t block = ciphers[channel->cipher].block, length = block;
    unsigned char *text =
        apr_palloc(pool, block + padded_length(head.length, block)
                             + padded_length(body.length, block));

    memcpy(text, channel->counter, block);
    if (head.length > 0) {
        memcpy(text + length, head.data, head.length);
        length += pad(text + length, head.length, block);
    }
    if (body.length > 0) {
        memcpy(text + length, body.data, body.length);
        length += pad(text + length, body.length, block);
    }
    mac_of(channel->cipher, channel->mac_key, (idv_bytes_t){text, length}, mac,
           pool);
}

/* Encrypts or decrypts whole blocks in place. The initial vector is the
 * encrypted counter for AES, and zero for 3DES. */
static void crypt_data(const idv_secure_channel_t *channel, int is_encryption,
                       unsigned char *text, size_t length)
{
    unsigned char iv[AES_BLOCK] = {0};
    keyed_cipher_t keyed = {ciphers[channel->cipher].cbc(),
                            channel->encryption_key, iv, is_encryption};

    if (ciphers[channel->cipher].ecb)
        run_cipher((keyed_cipher_t){ciphers[channel->cipher].ecb(),
                                    channel->encryption_key, NULL, 1},
                   (idv_bytes_t){channel->counter, AES_BLOCK}, iv);
    run_cipher(keyed, (idv_bytes_t){text, length}, text);
}

/* --- the channel --- */

void idv_secure_channel_open(idv_secure_channel_t *channel,
                             idv_chip_cipher_t cipher, idv_bytes_t secret)
{
    memset(channel, 0, sizeof(*channel));
    channel->cipher = cipher;
    derive(cipher, secret, 1, channel->encryption_key);
    derive(cipher, secret, 2, channel->mac_key);
}

void idv_secure_channel_wipe(idv_secure_channel_t *channel)
{
    OPENSSL_cleanse(channel, sizeof(*channel));
}

static void count_up(idv_secure_channel_t *channel)
{
    for (size_t i = ciphers[channel->cipher].block; i-- > 0;)
        if (++channel->counter[i] != 0)
            return;
}

/* Commands with an odd instruction carry data objects. Their cryptogram has its
 * own tag and no padding indicator (ISO/IEC 7816-4, 10.4). */
static int is_odd(const idv_chip_apdu_t *command)
{
    return command->header[1] & 1;
}

/* Data objects of a command: 87, the padding indicator 01 and the cryptogram, or
 * 85 and the cryptogram; 97, the expected length. Room for both is 256 bytes. */
static size_t write_objects(const idv_secure_channel_t *channel,
                            const idv_chip_apdu_t *command,
                            unsigned char *objects)
{
    size_t block = ciphers[channel->cipher].block, length = 0;

    if (command->data.length > 0) {
        size_t padded = padded_length(command->data.length, block);
        size_t content = is_odd(command) ? padded : padded + 1;

        objects[length++] = is_odd(command) ? 0x85 : 0x87;
        if (content > 0x7f)
            objects[length++] = 0x81;
        objects[length++] = (unsigned char)content;
        if (!is_odd(command))
            objects[length++] = 0x01;
        memcpy(objects + length, command->data.data, command->data.length);
        pad(objects + length, command->data.length, block);
        crypt_data(channel, 1, objects + length, padded);
        length += padded;
    }
    if (command->expected > 0) {
        objects[length++] = 0x97;
        objects[length++] = 0x01;
        objects[length++] = (unsigned char)command->expected; /* 256 is 0 */
    }
    return length;
}

idv_bytes_t idv_secure_channel_protect(idv_secure_channel_t *channel,
                                       const idv_chip_apdu_t *command,
                                       apr_pool_t *pool)
{
    unsigned char *apdu = apr_palloc(pool, 5 + 256 + 11);
    size_t length;

    must(command->data.length <= 224);
    count_up(channel);
    memcpy(apdu, command->header, 4);
    apdu[0] |= 0x0c;
    length = write_objects(channel, command, apdu + 5);
    authenticate(channel, (idv_bytes_t){apdu, 4},
                 (idv_bytes_t){apdu + 5, length}, apdu + 5 + length + 2, pool);
    apdu[5 + length] = 0x8e;
    apdu[5 + length + 1] = IDV_SECURE_CHANNEL_MAC_SIZE;
    length += 2 + IDV_SECURE_CHANNEL_MAC_SIZE;
    apdu[4] = (unsigned char)length;
    apdu[5 + length] = 0; /* as much as the chip returns */
    return (idv_bytes_t){apdu, 5 + length + 1};
}

/* The data objects of a response. */
typedef struct {
    idv_bytes_t cryptogram; /* of 87, after the padding indicator, or of 85 */
    idv_bytes_t status;     /* of 99 */
    idv_bytes_t mac;        /* of 8E */
    idv_bytes_t covered;    /* protected by the MAC: all objects before it */
} response_t;

static int read_response(idv_bytes_t bytes, response_t *response)
{
    int fault = bytes.length < 2 || bytes.length > RESPONSE_MAX;
    idv_tlv_reader_t reader = idv_tlv_open(
        (idv_bytes_t){bytes.data, fault ? 0 : bytes.length - 2}, &fault);

    memset(response, 0, sizeof(*response));
    response->covered.data = bytes.data;
    while (idv_tlv_has_more(&reader) && response->mac.length == 0) {
        idv_tlv_t object = idv_tlv_read(&reader);

        if (object.tag == 0x8E) {
            response->mac = object.content;
            continue;
        }
        response->covered.length += object.whole.length;
        if (object.tag == 0x99)
            response->status = object.content;
        else if (object.tag == 0x87 && object.content.length > 1
                 && object.content.data[0] == 0x01)
            response->cryptogram = (idv_bytes_t){object.content.data + 1,
                                                 object.content.length - 1};
        else if (object.tag == 0x85)
            response->cryptogram = object.content;
        else
            fault = 1;
    }
    idv_tlv_finish(&reader);
    return !fault && response->mac.length == IDV_SECURE_CHANNEL_MAC_SIZE
        && response->status.length == 2;
}

/* Decrypts the cryptogram; zero if its padding is wrong. */
static int open_data(const idv_secure_channel_t *channel,
                     idv_bytes_t cryptogram, idv_bytes_t *data,
                     apr_pool_t *pool)
{
    size_t length = cryptogram.length;
    unsigned char *text;

    *data = (idv_bytes_t){cryptogram.data, 0};
    if (length == 0)
        return 1;
    if (length % ciphers[channel->cipher].block != 0)
        return 0;
    text = apr_palloc(pool, length);
    memcpy(text, cryptogram.data, length);
    crypt_data(channel, 0, text, length);
    while (length > 0 && text[length - 1] == 0)
        length--;
    if (length == 0 || text[length - 1] != 0x80)
        return 0;
    *data = (idv_bytes_t){text, length - 1};
    return 1;
}

idv_error_t *idv_secure_channel_accept(idv_secure_channel_t *channel,
                                       idv_bytes_t bytes, idv_bytes_t *data,
                                       int *status, apr_pool_t *pool)
{
    unsigned char mac[IDV_SECURE_CHANNEL_MAC_SIZE];
    response_t response;

    *data = (idv_bytes_t){bytes.data, 0};
    *status = 0;
    count_up(channel);
    if (!read_response(bytes, &response))
        return idv_error_param(pool, NULL, "The response is not protected.");
    authenticate(channel, (idv_bytes_t){NULL, 0}, response.covered, mac, pool);
    if (!idv_equal_constant_time(mac, response.mac.data, sizeof(mac))
        || !open_data(channel, response.cryptogram, data, pool))
        return idv_error_param(pool, NULL,
                               "The response does not belong to this channel.");
    *status = response.status.data[0] << 8 | response.status.data[1];
    return NULL;
}

/* --- access --- */

void idv_chip_key_derive(idv_chip_cipher_t cipher, idv_bytes_t secret,
                         int number,
                         unsigned char key[IDV_SECURE_CHANNEL_KEY_MAX])
{
    memset(key, 0, IDV_SECURE_CHANNEL_KEY_MAX);
    derive(cipher, secret, (unsigned char)number, key);
}

void idv_chip_crypt(idv_chip_cipher_t cipher, const unsigned char *key,
                    int is_encryption, unsigned char *text, apr_size_t length)
{
    unsigned char iv[AES_BLOCK] = {0};

    run_cipher((keyed_cipher_t){ciphers[cipher].cbc(), key, iv, is_encryption},
               (idv_bytes_t){text, length}, text);
}

void idv_chip_authenticate(idv_chip_cipher_t cipher, const unsigned char *key,
                           idv_bytes_t text, unsigned char *mac,
                           apr_pool_t *pool)
{
    unsigned char *padded = apr_palloc(pool, text.length + DES_BLOCK);
    size_t length = text.length;

    memcpy(padded, text.data, length);
    if (!ciphers[cipher].mac_cipher)
        length = pad(padded, length, DES_BLOCK);
    mac_of(cipher, key, (idv_bytes_t){padded, length}, mac, pool);
}
