/* SPDX-License-Identifier: Apache-2.0 */
#include "core/crypto.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#define NONCE_SIZE IDV_SEAL_NONCE_SIZE
#define TAG_SIZE IDV_SEAL_TAG_SIZE

typedef struct {
    void *memory;
    apr_size_t length;
} wipe_t;

static apr_status_t wipe(void *data)
{
    wipe_t *job = data;

    OPENSSL_cleanse(job->memory, job->length);
    return APR_SUCCESS;
}

void idv_wipe_with_pool(void *memory, apr_size_t length, apr_pool_t *pool)
{
    wipe_t *job = apr_palloc(pool, sizeof(*job));

    job->memory = memory;
    job->length = length;
    apr_pool_cleanup_register(pool, job, wipe, apr_pool_cleanup_null);
}

void idv_random_bytes(unsigned char *bytes, apr_size_t length)
{
    /* Without randomness nothing that follows is safe: ids and secrets would
     * be guessable, so there is no error to hand on. */
    if (RAND_bytes(bytes, (int)length) != 1)
        abort();
}

const char *idv_random_token(apr_size_t length, apr_pool_t *pool)
{
    unsigned char *bytes = apr_palloc(pool, length);
    const char *token;

    idv_random_bytes(bytes, length);
    token =
        apr_pencode_base64_binary(pool, bytes, (apr_ssize_t)length,
                                  APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL);
    OPENSSL_cleanse(bytes, length);
    idv_wipe_with_pool((char *)token, strlen(token), pool);
    return token;
}

/* Algorithms, looked up once: OpenSSL 3 otherwise does so in every call, under
 * locks that all threads share. They are never changed and never freed. */
static EVP_MD *sha256;
static EVP_CIPHER *aes_256_gcm;
static pthread_once_t fetched = PTHREAD_ONCE_INIT;

static void fetch(void)
{
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    aes_256_gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    if (!sha256 || !aes_256_gcm)
        abort();
}

void idv_sha256(const void *data, apr_size_t length, unsigned char *digest)
{
    pthread_once(&fetched, fetch);
    if (EVP_Digest(data, length, digest, NULL, sha256, NULL) != 1)
        abort();
}

idv_bytes_t idv_bytes_copy(idv_bytes_t bytes, apr_pool_t *pool)
{
    return (idv_bytes_t){apr_pmemdup(pool, bytes.data, bytes.length),
                         bytes.length};
}

void idv_hmac_sha256(idv_bytes_t key, const void *data, apr_size_t length,
                     unsigned char *digest)
{
    unsigned int size = IDV_DIGEST_SIZE;

    if (!HMAC(EVP_sha256(), key.data, (int)key.length, data, length, digest,
              &size))
        abort();
}

const char *idv_hex(const unsigned char *data, apr_size_t length,
                    apr_pool_t *pool)
{
    return apr_pencode_base16_binary(pool, data, (apr_ssize_t)length,
                                     APR_ENCODE_LOWER, NULL);
}

int idv_equal_constant_time(const void *a, const void *b, apr_size_t length)
{
    return CRYPTO_memcmp(a, b, length) == 0;
}

static apr_status_t free_cipher(void *context)
{
    EVP_CIPHER_CTX_free(context);
    return APR_SUCCESS;
}

static EVP_CIPHER_CTX *new_cipher(apr_pool_t *pool)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();

    pthread_once(&fetched, fetch);
    if (context)
        apr_pool_cleanup_register(pool, context, free_cipher,
                                  apr_pool_cleanup_null);
    return context;
}

idv_error_t *idv_seal_by(const idv_seal_key_t *key, const char *context,
                         idv_bytes_t plain, idv_bytes_t *sealed,
                         apr_pool_t *pool)
{
    EVP_CIPHER_CTX *cipher = new_cipher(pool);
    unsigned char *out, *nonce, *text;
    int length;

    if (plain.length > INT_MAX) /* what OpenSSL counts with */
        return idv_error_internal(pool, "too much data to seal");
    out = apr_palloc(pool, plain.length + IDV_SEAL_OVERHEAD);
    nonce = out + 1;
    text = nonce + NONCE_SIZE;
    out[0] = key->version;
    idv_random_bytes(nonce, NONCE_SIZE);
    if (!cipher
        || EVP_EncryptInit_ex(cipher, aes_256_gcm, NULL, key->bytes, nonce) != 1
        || EVP_EncryptUpdate(cipher, NULL, &length,
                             (const unsigned char *)context,
                             (int)strlen(context))
               != 1
        || EVP_EncryptUpdate(cipher, text, &length, plain.data,
                             (int)plain.length)
               != 1
        || EVP_EncryptFinal_ex(cipher, text + length, &length) != 1
        || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, TAG_SIZE,
                               text + plain.length)
               != 1)
        return idv_error_internal(pool, "sealing failed");
    sealed->data = out;
    sealed->length = plain.length + IDV_SEAL_OVERHEAD;
    return NULL;
}

idv_error_t *idv_open_by(const idv_seal_key_t *key, const char *context,
                         idv_bytes_t sealed, idv_bytes_t *plain,
                         apr_pool_t *pool)
{
    EVP_CIPHER_CTX *cipher = new_cipher(pool);
    const unsigned char *nonce, *text;
    unsigned char *out;
    apr_size_t size;
    int length;

    if (sealed.length < IDV_SEAL_OVERHEAD || sealed.length > INT_MAX
        || sealed.data[0] != key->version)
        return idv_error_internal(pool, "sealed data is malformed");
    size = sealed.length - IDV_SEAL_OVERHEAD;
    nonce = sealed.data + 1;
    text = nonce + NONCE_SIZE;
    out = apr_palloc(pool, size + 1);
    idv_wipe_with_pool(out, size, pool);
    if (!cipher
        || EVP_DecryptInit_ex(cipher, aes_256_gcm, NULL, key->bytes, nonce) != 1
        || EVP_DecryptUpdate(cipher, NULL, &length,
                             (const unsigned char *)context,
                             (int)strlen(context))
               != 1
        || EVP_DecryptUpdate(cipher, out, &length, text, (int)size) != 1
        || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, TAG_SIZE,
                               (void *)(text + size))
               != 1
        || EVP_DecryptFinal_ex(cipher, out + length, &length) != 1)
        return idv_error_internal(pool, "sealed data cannot be opened");
    out[size] = '\0';
    plain->data = out;
    plain->length = size;
    return NULL;
}

idv_error_t *idv_seal(const unsigned char *key, const char *context,
                      idv_bytes_t plain, idv_bytes_t *sealed, apr_pool_t *pool)
{
    return idv_seal_by(&(idv_seal_key_t){key, 1}, context, plain, sealed, pool);
}

idv_error_t *idv_open(const unsigned char *key, const char *context,
                      idv_bytes_t sealed, idv_bytes_t *plain, apr_pool_t *pool)
{
    return idv_open_by(&(idv_seal_key_t){key, 1}, context, sealed, plain, pool);
}

/* --- files of secrets --- */

static idv_error_t *check_owner(const char *path, const struct stat *status,
                                apr_pool_t *pool)
{
    if (!S_ISREG(status->st_mode))
        return idv_error_internal(pool, "%s: is not a regular file", path);
    if (status->st_mode & (S_IRWXG | S_IRWXO))
        return idv_error_internal(
            pool, "%s: must be accessible to its owner only", path);
    if (status->st_uid != 0 && status->st_uid != geteuid())
        return idv_error_internal(
            pool, "%s: must belong to root or to user %ld, which reads "
                  "it", path,
            (long)geteuid());
    return NULL;
}

typedef struct {
    char *text;
    apr_size_t size;
} room_t;

/* Without a stream, whose buffer nobody would wipe. */
static idv_error_t *read_descriptor(int file, const char *path,
                                    const room_t *room, apr_size_t *length,
                                    apr_pool_t *pool)
{
    struct stat status;
    ssize_t count = 0;

    *length = 0;
    if (fstat(file, &status) != 0)
        return idv_error_apr(pool, errno, "%s cannot be read", path);
    IDV_TRY(check_owner(path, &status, pool));
    while (*length < room->size
           && (count = read(file, room->text + *length, room->size - *length))
                  > 0)
        *length += (apr_size_t)count;
    if (count < 0)
        return idv_error_apr(pool, errno, "%s cannot be read", path);
    return NULL;
}

/* The first SIZE bytes of the private file at PATH, as far as it has them, in
 * TEXT, and how many they are in *LENGTH. No copy of them stays anywhere else.
 */
static idv_error_t *read_private_file(const char *path, char *text,
                                      apr_size_t size, apr_size_t *length,
                                      apr_pool_t *pool)
{
    /* A pipe is refused, instead of being waited for. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    idv_error_t *error;

    if (file < 0)
        return idv_error_apr(pool, errno, "%s cannot be read", path);
    error = read_descriptor(
        file, path, &(const room_t){.text = text, .size = size}, length, pool);
    close(file);
    return error;
}

idv_error_t *idv_secret_file_read(const char *path, const char **secret,
                                  apr_pool_t *pool)
{
    /* One byte more than a secret has tells one that is too long. */
    char *text = apr_pcalloc(pool, IDV_SECRET_MAX + 2);
    apr_size_t length;

    idv_wipe_with_pool(text, IDV_SECRET_MAX + 2, pool);
    IDV_TRY(read_private_file(path, text, IDV_SECRET_MAX + 1, &length, pool));
    text[strcspn(text, "\r\n")] = '\0';
    if (!*text)
        return idv_error_internal(pool, "%s contains no secret", path);
    if (strlen(text) > IDV_SECRET_MAX)
        return idv_error_internal(pool, "%s: more than %d bytes in a line",
                                  path, IDV_SECRET_MAX);
    *secret = text;
    return NULL;
}

idv_error_t *idv_private_file_read(const char *path, apr_size_t most,
                                   idv_bytes_t *file, apr_pool_t *pool)
{
    /* One byte more tells a file that is too long, and one is its NUL. */
    char *text = apr_pcalloc(pool, most + 2);
    apr_size_t length;

    idv_wipe_with_pool(text, most + 2, pool);
    IDV_TRY(read_private_file(path, text, most + 1, &length, pool));
    if (length == 0 || length > most)
        return idv_error_internal(pool, "%s: must have 1 to %lu bytes", path,
                                  (unsigned long)most);
    *file = (idv_bytes_t){(const unsigned char *)text, length};
    return NULL;
}
