/* SPDX-License-Identifier: Apache-2.0 */
#include "core/keyring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>

#define KEY_DIGITS (2 * IDV_KEY_SIZE)
#define DIGEST_KEYS 3 /* identifier, document, secret */
#define DIGESTS_SIZE (DIGEST_KEYS * IDV_KEY_SIZE)
#define DIGESTS_WORD "digests"
#define FILE_MAX 8192 /* bytes */
#define ORIGIN 1      /* the version that the keys of digests come from */

/* The content of a key file; wiped with its pool. */
typedef struct {
    int has_digests;
    unsigned char digests[DIGESTS_SIZE];
    struct {
        int version;
        unsigned char master[IDV_KEY_SIZE];
    } keys[IDV_KEY_VERSIONS_KEPT];
    int count;
} key_file_t;

/* --- derivation --- */

static const char *const purposes[IDV_SEALING_COUNT] = {
#define X(name, purpose) [IDV_SEALING_##name] = purpose,
    IDV_SEALINGS(X)
#undef X
};

/* In the order in which the line `digests` has them. The key of tokens is, for
 * the sake of the tokens there are, that which version 1 seals secrets by. */
static const char *const digest_purposes[DIGEST_KEYS] = {
    "mod_verify identifier v1", "mod_verify document v1",
    "mod_verify secret v1"};

static apr_status_t free_derivation(void *context)
{
    EVP_PKEY_CTX_free(context);
    return APR_SUCCESS;
}

/* HKDF-SHA256 (RFC 5869) with the purpose as info. */
static idv_error_t *derive(const unsigned char *master, const char *purpose,
                           unsigned char *key, apr_pool_t *pool)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
    size_t length = IDV_KEY_SIZE;

    if (!context)
        return idv_error_internal(pool, "HKDF is not available");
    apr_pool_cleanup_register(pool, context, free_derivation,
                              apr_pool_cleanup_null);
    if (EVP_PKEY_derive_init(context) != 1
        || EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) != 1
        || EVP_PKEY_CTX_set1_hkdf_key(context, master, IDV_KEY_SIZE) != 1
        || EVP_PKEY_CTX_add1_hkdf_info(context, (const unsigned char *)purpose,
                                       (int)strlen(purpose))
               != 1
        || EVP_PKEY_derive(context, key, &length) != 1)
        return idv_error_internal(pool, "key derivation failed");
    return NULL;
}

/* --- reading a key file --- */

/* LENGTH bytes from DIGITS; zero when these are others. */
static int read_digits(const char *digits, apr_size_t count,
                       unsigned char *bytes, apr_size_t length)
{
    return count == 2 * length
        && apr_decode_base16_binary(bytes, digits, (apr_ssize_t)count,
                                    APR_ENCODE_NONE, NULL)
               == APR_SUCCESS;
}

/* "digests DIGITS" or "VERSION DIGITS", of LENGTH characters. Returns what is
 * wrong with it, or NULL. */
static const char *read_line(key_file_t *file, const char *line,
                             apr_size_t length)
{
    apr_size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789");
    const char *digits = line + word + 1;
    int is_digests =
        word == strlen(DIGESTS_WORD) && memcmp(line, DIGESTS_WORD, word) == 0;
    long version = strtol(line, NULL, 10);

    if (word >= length || line[word] != ' ')
        return "expected a version, a space and digits";
    if (is_digests && file->has_digests)
        return "has more than one line of digests";
    if (is_digests) {
        file->has_digests = 1;
        return read_digits(digits, length - word - 1, file->digests,
                           DIGESTS_SIZE)
                 ? NULL
                 : "expected 192 hexadecimal digits";
    }
    if (strspn(line, "0123456789") != word || word > 3 || version < 1
        || version > IDV_KEY_VERSION_MAX)
        return "expected a version from 1 to 255";
    if (file->count && file->keys[file->count - 1].version >= version)
        return "expected versions in ascending order";
    if (file->count == IDV_KEY_VERSIONS_KEPT)
        return "has more than 8 versions";
    file->keys[file->count].version = (int)version;
    return read_digits(digits, length - word - 1,
                       file->keys[file->count++].master, IDV_KEY_SIZE)
             ? NULL
             : "expected 64 hexadecimal digits";
}

static const char *read_lines(key_file_t *file, const char *text, int *number)
{
    const char *fault = NULL;

    for (*number = 1; *text && !fault; ++*number) {
        apr_size_t length = strcspn(text, "\n");

        if (length && *text != '#')
            fault = read_line(file, text, length);
        text += length + (text[length] == '\n');
    }
    --*number;
    return fault;
}

/* A file from before versions existed, with or without its newline. */
static int read_single(key_file_t *file, idv_bytes_t text)
{
    apr_size_t length = text.length;

    if (length == KEY_DIGITS + 1 && text.data[length - 1] == '\n')
        length--;
    file->keys[0].version = ORIGIN;
    if (!read_digits((const char *)text.data, length, file->keys[0].master,
                     IDV_KEY_SIZE))
        return 0;
    file->count = 1;
    return 1;
}

static idv_error_t *read_key_file(const char *path, key_file_t **out,
                                  apr_pool_t *pool)
{
    key_file_t *file = apr_pcalloc(pool, sizeof(*file));
    const char *fault;
    idv_bytes_t text;
    int number = 1;

    idv_wipe_with_pool(file, sizeof(*file), pool);
    IDV_TRY(idv_private_file_read(path, FILE_MAX, &text, pool));
    *out = file;
    if (read_single(file, text))
        return NULL;
    if (!memchr(text.data, ' ', text.length))
        return idv_error_internal(
            pool, "master key file %s: expected %d hexadecimal digits", path,
            KEY_DIGITS);
    fault = strlen((const char *)text.data) != text.length
              ? "has a NUL"
              : read_lines(file, (const char *)text.data, &number);
    if (fault)
        return idv_error_internal(pool, "master key file %s, line %d: %s", path,
                                  number, fault);
    if (file->count == 0)
        return idv_error_internal(pool, "master key file %s has no key", path);
    if (!file->has_digests && file->keys[0].version != ORIGIN)
        return idv_error_internal(pool,
                                  "master key file %s: without version 1, the "
                                  "line of digests is required",
                                  path);
    return NULL;
}

/* --- the ring --- */

/* The keys of digests in DIGESTS, as the file's line has them. */
static idv_error_t *derive_digests(const key_file_t *file,
                                   unsigned char digests[DIGESTS_SIZE],
                                   apr_pool_t *pool)
{
    if (file->keys[0].version != ORIGIN) {
        memcpy(digests, file->digests, DIGESTS_SIZE);
        return NULL;
    }
    for (int i = 0; i < DIGEST_KEYS; i++)
        IDV_TRY(derive(file->keys[0].master, digest_purposes[i],
                       digests + (apr_size_t)i * IDV_KEY_SIZE, pool));
    return NULL;
}

static idv_error_t *derive_version(const unsigned char *master,
                                   const unsigned char digests[DIGESTS_SIZE],
                                   idv_key_version_t *version, apr_pool_t *pool)
{
    unsigned char key[IDV_KEY_SIZE];
    idv_error_t *error = derive(master, "mod_verify fingerprint v1", key, pool);

    if (version->version == ORIGIN)
        memcpy(version->fingerprint, key, IDV_KEY_SIZE);
    else
        idv_hmac_sha256((idv_bytes_t){key, IDV_KEY_SIZE}, digests, DIGESTS_SIZE,
                        version->fingerprint);
    OPENSSL_cleanse(key, sizeof(key));
    for (int i = 0; i < IDV_SEALING_COUNT && !error; i++)
        error = derive(master, purposes[i], version->sealing[i], pool);
    return error;
}

idv_error_t *idv_keyring_load(const char *path, idv_keyring_t **out,
                              apr_pool_t *pool)
{
    idv_keyring_t *ring = apr_pcalloc(pool, sizeof(*ring));
    unsigned char *digests = apr_pcalloc(pool, DIGESTS_SIZE);
    key_file_t *file;

    idv_wipe_with_pool(ring, sizeof(*ring), pool);
    idv_wipe_with_pool(digests, DIGESTS_SIZE, pool);
    IDV_TRY(read_key_file(path, &file, pool));
    IDV_TRY(derive_digests(file, digests, pool));
    memcpy(ring->identifier, digests, IDV_KEY_SIZE);
    memcpy(ring->document, digests + IDV_KEY_SIZE, IDV_KEY_SIZE);
    memcpy(ring->secret, digests + 2 * (apr_size_t)IDV_KEY_SIZE, IDV_KEY_SIZE);
    ring->count = file->count;
    for (int i = 0; i < file->count; i++) {
        ring->versions[i].version = file->keys[i].version;
        IDV_TRY(derive_version(file->keys[i].master, digests,
                               &ring->versions[i], pool));
    }
    ring->sealing_version = apr_palloc(pool, sizeof(*ring->sealing_version));
    atomic_init(ring->sealing_version, ring->versions[0].version);
    OPENSSL_cleanse(file, sizeof(*file));
    OPENSSL_cleanse(digests, DIGESTS_SIZE);
    *out = ring;
    return NULL;
}

const idv_key_version_t *idv_keyring_version(const idv_keyring_t *ring,
                                             int number)
{
    for (int i = 0; i < ring->count; i++)
        if (ring->versions[i].version == number)
            return &ring->versions[i];
    return NULL;
}

const idv_key_version_t *idv_keyring_newest(const idv_keyring_t *ring)
{
    return &ring->versions[ring->count - 1];
}

idv_bytes_t idv_key_fingerprint(const idv_key_version_t *version)
{
    return (idv_bytes_t){version->fingerprint, IDV_KEY_SIZE};
}

void idv_keyring_seal_by(const idv_keyring_t *ring, int version)
{
    atomic_store(ring->sealing_version, version);
}

/* --- seals --- */

idv_error_t *idv_keyring_seal(const idv_keyring_t *ring, idv_seal_place_t place,
                              idv_bytes_t plain, idv_bytes_t *sealed,
                              apr_pool_t *pool)
{
    const idv_key_version_t *version =
        idv_keyring_version(ring, atomic_load(ring->sealing_version));
    idv_seal_key_t key = {version->sealing[place.sealing],
                          (unsigned char)version->version};

    return idv_seal_by(&key, place.context, plain, sealed, pool);
}

idv_error_t *idv_keyring_open(const idv_keyring_t *ring, idv_seal_place_t place,
                              idv_bytes_t sealed, idv_bytes_t *plain,
                              apr_pool_t *pool)
{
    const idv_key_version_t *version;
    idv_seal_key_t key;

    if (sealed.length < IDV_SEAL_OVERHEAD)
        return idv_error_internal(pool, "sealed data is malformed");
    version = idv_keyring_version(ring, sealed.data[0]);
    if (!version)
        return idv_error_internal(pool,
                                  "sealed by version %d of the master key, "
                                  "which the key file does not have",
                                  sealed.data[0]);
    key = (idv_seal_key_t){version->sealing[place.sealing], sealed.data[0]};
    return idv_open_by(&key, place.context, sealed, plain, pool);
}

/* --- changing a key file --- */

static const char heading[] =
    "# Versions of the master key of mod_verify; every node needs this file.\n"
    "# verifyctl master-key --help says how they are changed.\n";

/* The text of FILE, wiped with POOL. */
static char *print_key_file(const key_file_t *file, apr_pool_t *pool)
{
    char *text = apr_pcalloc(pool, FILE_MAX + 1), *end = text;

    idv_wipe_with_pool(text, FILE_MAX + 1, pool);
    end = apr_cpystrn(end, heading, FILE_MAX);
    if (file->has_digests) {
        end = apr_cpystrn(end, DIGESTS_WORD " ", FILE_MAX);
        apr_encode_base16_binary(end, file->digests, DIGESTS_SIZE,
                                 APR_ENCODE_LOWER, NULL);
        end += 2 * DIGESTS_SIZE;
        *end++ = '\n';
    }
    for (int i = 0; i < file->count; i++) {
        end += snprintf(end, 8, "%d ", file->keys[i].version);
        apr_encode_base16_binary(end, file->keys[i].master, IDV_KEY_SIZE,
                                 APR_ENCODE_LOWER, NULL);
        end += KEY_DIGITS;
        *end++ = '\n';
    }
    *end = '\0';
    return text;
}

/* Writes TEXT durably to DESCRIPTOR, with the owner of the file at PATH.
 * Non-zero: failed, see errno. */
static int fill_file(int descriptor, const char *path, const char *text)
{
    apr_size_t length = strlen(text);
    struct stat status;

    if (stat(path, &status) != 0
        || fchmod(descriptor, status.st_mode & 07777) != 0
        || ((status.st_uid != geteuid() || status.st_gid != getegid())
            && fchown(descriptor, status.st_uid, status.st_gid) != 0))
        return -1;
    while (length) {
        ssize_t count = write(descriptor, text, length);

        if (count < 0)
            return -1;
        text += count;
        length -= (apr_size_t)count;
    }
    return fsync(descriptor);
}

/* So that the new name of the file is on the disk, too. */
static int flush_directory(const char *path, apr_pool_t *pool)
{
    const char *slash = strrchr(path, '/');
    int directory =
        open(slash ? apr_pstrmemdup(pool, path, (apr_size_t)(slash - path + 1))
                   : ".",
             O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = directory < 0 ? -1 : fsync(directory);

    if (directory >= 0)
        close(directory);
    return result;
}

static idv_error_t *replace_file(const char *path, const char *text,
                                 apr_pool_t *pool)
{
    /* A link is followed, so that what it names is replaced and not itself. */
    char *whole = realpath(path, NULL);
    const char *target = whole ? apr_pstrdup(pool, whole) : path;
    char *fresh = apr_pstrcat(pool, target, ".XXXXXX", NULL);
    int descriptor = mkstemp(fresh), failure = 0;

    free(whole);
    if (descriptor < 0)
        return idv_error_apr(pool, errno, "%s cannot be replaced", path);
    if (fill_file(descriptor, target, text) != 0 || rename(fresh, target) != 0
        || flush_directory(target, pool) != 0)
        failure = errno;
    close(descriptor);
    if (!failure)
        return NULL;
    unlink(fresh);
    return idv_error_apr(pool, failure, "%s cannot be replaced", path);
}

idv_error_t *idv_key_file_add(const char *path, int *version, apr_pool_t *pool)
{
    key_file_t *file;
    int newest;

    IDV_TRY(read_key_file(path, &file, pool));
    newest = file->keys[file->count - 1].version;
    if (file->count == IDV_KEY_VERSIONS_KEPT || newest == IDV_KEY_VERSION_MAX)
        return idv_error_internal(pool,
                                  "%s has the maximum number of versions. Drop "
                                  "old ones first",
                                  path);
    file->keys[file->count].version = *version = newest + 1;
    idv_random_bytes(file->keys[file->count++].master, IDV_KEY_SIZE);
    return replace_file(path, print_key_file(file, pool), pool);
}

idv_error_t *idv_key_file_remove(const char *path, int version, int *removed,
                                 apr_pool_t *pool)
{
    key_file_t *file;
    int at = 0;

    IDV_TRY(read_key_file(path, &file, pool));
    while (at < file->count && file->keys[at].version != version)
        at++;
    *removed = at < file->count;
    if (!*removed)
        return NULL;
    if (file->count == 1)
        return idv_error_internal(pool, "%s has no other version", path);
    if (version == ORIGIN) {
        IDV_TRY(derive_digests(file, file->digests, pool));
        file->has_digests = 1;
    }
    memmove(&file->keys[at], &file->keys[at + 1],
            sizeof(file->keys[0]) * (apr_size_t)(file->count - at - 1));
    file->count--;
    return replace_file(path, print_key_file(file, pool), pool);
}
