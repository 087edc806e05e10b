/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_CRYPTO_H
#define IDV_CORE_CRYPTO_H

/*
 * Secrets: the cryptographic operations of the project, on OpenSSL, and files
 * that contain a secret. core/keyring.h has the keys of a server.
 *
 * Sealed data is AES-256-GCM: one byte with the version of the key, a random
 * 12-byte nonce, the ciphertext, a 16-byte tag. The associated data names the
 * content and its owner ("webhook_secret:we_..."), so that a ciphertext moved
 * to another row does not open.
 *
 * A secret file is named in the configuration, so that the configuration does
 * not contain the secret. It must be a regular file that only its owner can
 * read and write, owned by root or by the effective user of the reading
 * process; any other file is refused, whatever its content. Secret files are
 * read at start-up, usually by httpd's parent process, and by verifyctl.
 *
 * Memory: results live in the given pool. Decrypted plaintext, random tokens,
 * keys and secrets from files are wiped when that pool is cleared. Failures:
 * OpenSSL failures are internal errors, except for randomness and digests,
 * without which the process ends. A seal that does not open gives no reason.
 * File failures are internal errors; the detail names the file and the problem.
 * Threads: all functions are thread-safe.
 */
#include "core/error.h"

#define IDV_KEY_SIZE 32    /* bytes of every symmetric key */
#define IDV_DIGEST_SIZE 32 /* bytes of SHA-256 */
#define IDV_SEAL_NONCE_SIZE 12
#define IDV_SEAL_TAG_SIZE 16
/* Additional bytes of sealed data compared with the plaintext. */
#define IDV_SEAL_OVERHEAD (1 + IDV_SEAL_NONCE_SIZE + IDV_SEAL_TAG_SIZE)

/* Binary data. */
typedef struct {
    const unsigned char *data;
    apr_size_t length;
} idv_bytes_t;

/* A copy of BYTES in POOL. */
idv_bytes_t idv_bytes_copy(idv_bytes_t bytes, apr_pool_t *pool);

/* A sealing key and its version, the first byte of a seal. */
typedef struct {
    const unsigned char *bytes; /* IDV_KEY_SIZE */
    unsigned char version;
} idv_seal_key_t;

/* Fills BYTES from OpenSSL's generator; never returns without success. */
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

/* Non-zero if equal, in constant time. */
int idv_equal_constant_time(const void *a, const void *b, apr_size_t length);

/* Seals PLAIN (less than 2 GiB) with KEY, bound to CONTEXT. */
idv_error_t *idv_seal_by(const idv_seal_key_t *key, const char *context,
                         idv_bytes_t plain, idv_bytes_t *sealed,
                         apr_pool_t *pool) IDV_CHECKED;

/* Opens the output of idv_seal_by() with the same key, version and context. The
 * plaintext is followed by a NUL. */
idv_error_t *idv_open_by(const idv_seal_key_t *key, const char *context,
                         idv_bytes_t sealed, idv_bytes_t *plain,
                         apr_pool_t *pool) IDV_CHECKED;

/* idv_seal_by() with an unversioned KEY (IDV_KEY_SIZE bytes). */
idv_error_t *idv_seal(const unsigned char *key, const char *context,
                      idv_bytes_t plain, idv_bytes_t *sealed,
                      apr_pool_t *pool) IDV_CHECKED;

/* Opens the output of idv_seal() with the same key and context, like
 * idv_open_by(). */
idv_error_t *idv_open(const unsigned char *key, const char *context,
                      idv_bytes_t sealed, idv_bytes_t *plain,
                      apr_pool_t *pool) IDV_CHECKED;

/* --- secret files --- */

#define IDV_SECRET_MAX 1024 /* bytes of a secret */

/* The first line of the private file at PATH, without its line end; wiped with
 * POOL. An empty line and one of more than IDV_SECRET_MAX bytes are errors. */
idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The whole private file at PATH, 1 to MOST bytes, followed by a NUL; wiped
 * with POOL. */
idv_error_t *idv_private_file_read(const char *path, apr_size_t most,
                                   idv_bytes_t *file,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Wipes MEMORY when POOL is cleared. */
void idv_wipe_with_pool(void *memory, apr_size_t length, apr_pool_t *pool);

#endif
