/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_SECURE_MESSAGING_H
#define IDV_METHODS_PASSPORT_SECURE_MESSAGING_H

/*
 * Secure messaging of passport chips (ICAO Doc 9303-11, 9.8), terminal side:
 * protects commands; checks and decrypts protected responses.
 *
 * A channel has a key for encryption and one for authentication, both derived
 * from a shared secret (9.7.1), and a counter that increases by one with each
 * command and each response; a response out of sequence is refused. 3DES
 * messages are authenticated by the retail MAC (ISO/IEC 9797-1, algorithm 3),
 * AES messages by CMAC cut to eight bytes.
 *
 * Memory: the channel is a value with secrets in it; idv_secure_channel_wipe()
 * it. Messages live in the given pool. Failures of OpenSSL, which can only be
 * lack of memory here, end the process. Threads: pure.
 */
#include "methods/passport/data_groups.h"

#define IDV_SECURE_CHANNEL_KEY_MAX 32
#define IDV_SECURE_CHANNEL_BLOCK_MAX 16
#define IDV_SECURE_CHANNEL_MAC_SIZE 8

typedef struct {
    idv_chip_cipher_t cipher;
    unsigned char encryption_key[IDV_SECURE_CHANNEL_KEY_MAX];
    unsigned char mac_key[IDV_SECURE_CHANNEL_KEY_MAX];
    unsigned char counter[IDV_SECURE_CHANNEL_BLOCK_MAX]; /* the first bytes, one
                                                            block, are used */
} idv_secure_channel_t;

/* A command before protection (ISO/IEC 7816-4, 5.1). */
typedef struct {
    unsigned char header[4]; /* CLA, INS, P1, P2 */
    idv_bytes_t data;        /* at most 224 bytes */
    int expected;            /* requested bytes, 1 to 256; 0: none */
} idv_chip_apdu_t;

/* Opens a channel with keys derived from SECRET; its counter is zero. */
void idv_secure_channel_open(idv_secure_channel_t *channel,
                             idv_chip_cipher_t cipher, idv_bytes_t secret);

/* The protected command. */
idv_bytes_t idv_secure_channel_protect(idv_secure_channel_t *channel,
                                       const idv_chip_apdu_t *command,
                                       apr_pool_t *pool);

/* Checks and decrypts the response to the last command: its DATA, of length 0
 * if it has none, and its protected STATUS. `parameter_invalid` without a
 * parameter if it is not protected, not with these keys, or not the response to
 * this command. */
idv_error_t *idv_secure_channel_accept(idv_secure_channel_t *channel,
                                       idv_bytes_t response, idv_bytes_t *data,
                                       int *status,
                                       apr_pool_t *pool) IDV_CHECKED;

void idv_secure_channel_wipe(idv_secure_channel_t *channel);

/* --- building blocks of access to the chip (9303-11, 4.3 and 4.4) --- */

/* Derives the key for a purpose from SECRET; the number is 1 for encryption, 2
 * for authentication, 3 for the password of PACE (9.7.1.1). */
void idv_chip_key_derive(idv_chip_cipher_t cipher, idv_bytes_t secret,
                         int number,
                         unsigned char key[IDV_SECURE_CHANNEL_KEY_MAX]);

/* Encrypts or decrypts whole blocks in place, in CBC mode with an IV of
 * zero. */
void idv_chip_crypt(idv_chip_cipher_t cipher, const unsigned char *key,
                    int is_encryption, unsigned char *text, apr_size_t length);

/* The MAC of TEXT, IDV_SECURE_CHANNEL_MAC_SIZE bytes; TEXT is padded for 3DES,
 * and used unchanged for AES. */
void idv_chip_authenticate(idv_chip_cipher_t cipher, const unsigned char *key,
                           idv_bytes_t text, unsigned char *mac,
                           apr_pool_t *pool);

#endif
