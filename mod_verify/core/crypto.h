/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_CRYPTO_H
#define IDV_CORE_CRYPTO_H

/*
 * Secrets: the few cryptographic operations that the project uses, on OpenSSL,
 * and the files that hold a secret. The keys of a server are core/keyring.h.
 *
 * Sealed data is AES-256-GCM: one byte with the version of the key, a random
 * 12-byte nonce, the ciphertext, a 16-byte tag. The associated data names what
 * is sealed and for whom ("webhook_secret:we_..."), so that a ciphertext moved
 * to another row does not open.
 *
 * A file of a secret is one that an administrator names in the configuration,
 * so that the secret itself stands in none. It is believed only as a regular
 * file that nobody but its owner can read or write, and that belongs to root or
 * to the effective user of the process that reads it; every other file is
 * refused, whatever it holds. Such files are read at start-up, by the parent of
 * httpd as a rule, and by verifyctl.
 *
 * Memory: results live in the given pool; opened plaintext and random tokens
 * are wiped when that pool is cleared, as are keys and secrets of files.
 * Failures of OpenSSL are internal errors, but where there is no going on
 * without it (randomness, digests) they end the process; a seal that does not
 * open says nothing about why. Failures of files are internal errors whose
 * detail names the file and what is wrong with it. Threads: all functions are
 * thread-safe.
 */
#include "core/error.h"

#define IDV_KEY_SIZE 32    /* bytes of every symmetric key */
#define IDV_DIGEST_SIZE 32 /* bytes of SHA-256 */
#define IDV_SEAL_NONCE_SIZE 12
#define IDV_SEAL_TAG_SIZE 16
/* By how many bytes sealed data is longer than the plain. */
#define IDV_SEAL_OVERHEAD (1 + IDV_SEAL_NONCE_SIZE + IDV_SEAL_TAG_SIZE)

/* A string of bytes that is not text. */
typedef struct {
    const unsigned char *data;
    apr_size_t length;
} idv_bytes_t;

/* The same bytes in POOL. */
idv_bytes_t idv_bytes_copy(idv_bytes_t bytes, apr_pool_t *pool);

/* A key for seals, and the version of it that the first byte of a seal names.
 */
typedef struct {
    const unsigned char *bytes; /* IDV_KEY_SIZE */
    unsigned char version;
} idv_seal_key_t;

/* Fills BYTES from OpenSSL's generator; does not return without them. */
void idv_random_bytes(unsigned char *bytes, apr_size_t length);

/* LENGTH random bytes as URL-safe base64 without padding (RFC 4648, 5). */
const char *idv_random_token(apr_size_t length, apr_pool_t *pool);

/* SHA-256 (FIPS 180-4) into DIGEST (IDV_DIGEST_SIZE bytes). */
void idv_sha256(const void *data, apr_size_t length, unsigned char *digest);

/* HMAC-SHA256 into DIGEST (IDV_DIGEST_SIZE bytes); FIPS 198-1. */
void idv_hmac_sha256(idv_bytes_t key, const void *data, apr_size_t length,
                     unsigned char *digest);

/* Lower-case hexadecimal. */
const char *idv_hex(const unsigned char *data, apr_size_t length,
                    apr_pool_t *pool);

/* Non-zero when equal; takes the same time wherever they differ. */
int idv_equal_constant_time(const void *a, const void *b, apr_size_t length);

/* Seals PLAIN, of less than 2 GiB, under KEY, bound to CONTEXT. */
idv_error_t *idv_seal_by(const idv_seal_key_t *key, const char *context,
                         idv_bytes_t plain, idv_bytes_t *sealed,
                         apr_pool_t *pool) IDV_CHECKED;

/* Opens what idv_seal_by() made with the same key, version and context; a NUL
 * stands behind the plaintext, for text. */
idv_error_t *idv_open_by(const idv_seal_key_t *key, const char *context,
                         idv_bytes_t sealed, idv_bytes_t *plain,
                         apr_pool_t *pool) IDV_CHECKED;

/* idv_seal_by() under a KEY (IDV_KEY_SIZE bytes) that has no versions. */
idv_error_t *idv_seal(const unsigned char *key, const char *context,
                      idv_bytes_t plain, idv_bytes_t *sealed,
                      apr_pool_t *pool) IDV_CHECKED;

/* Opens what idv_seal() made with the same key and context, as idv_open_by().
 */
idv_error_t *idv_open(const unsigned char *key, const char *context,
                      idv_bytes_t sealed, idv_bytes_t *plain,
                      apr_pool_t *pool) IDV_CHECKED;

/* --- files of secrets --- */

#define IDV_SECRET_MAX 1024 /* bytes of a secret */

/* The first line of the private file at PATH, without its end; wiped with POOL.
 * An empty line and one of more than IDV_SECRET_MAX bytes are errors. */
idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The whole private file at PATH, of 1 to MOST bytes, with a NUL behind it;
 * wiped with POOL. */
idv_error_t *idv_private_file_read(const char *path, apr_size_t most,
                                   idv_bytes_t *file,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Has MEMORY wiped when POOL is cleared. */
void idv_wipe_with_pool(void *memory, apr_size_t length, apr_pool_t *pool);

#endif
