/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/elliptic_key.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

static const struct {
    apr_int64_t number;
    const char *name; /* OpenSSL's */
    apr_size_t size;
    int has_pairs;
} curves[] = {
#define X(name, number, jose, openssl, size, pair)                             \
    { number, openssl, size, pair },
    IDV_CURVES(X)
#undef X
};

idv_curve_t idv_curve_find(apr_int64_t number)
{
    for (int i = 0; i < COUNT(curves); i++)
        if (curves[i].number == number)
            return i;
    return IDV_CURVE_NONE;
}

idv_curve_t idv_curve_of(const EVP_PKEY *key)
{
    char group[64] = "";
    size_t length;

    if (EVP_PKEY_is_a(key, "EC")
        && EVP_PKEY_get_group_name(key, group, sizeof(group), &length) != 1)
        return IDV_CURVE_NONE;
    for (int i = 0; i < COUNT(curves); i++)
        if (curves[i].has_pairs ? strcmp(curves[i].name, group) == 0
                                : EVP_PKEY_is_a(key, curves[i].name))
            return i;
    return IDV_CURVE_NONE;
}

apr_size_t idv_curve_size(idv_curve_t curve)
{
    return curves[curve].size;
}

int idv_curve_has_pairs(idv_curve_t curve)
{
    return curves[curve].has_pairs;
}

static apr_status_t free_key(void *key)
{
    EVP_PKEY_free(key);
    return APR_SUCCESS;
}

EVP_PKEY *idv_key_own(EVP_PKEY *key, apr_pool_t *pool)
{
    if (key)
        apr_pool_cleanup_register(pool, key, free_key, apr_pool_cleanup_null);
    return key;
}

/* A key of type EC from its parameters, one of which is the curve. */
static EVP_PKEY *key_from(OSSL_PARAM *parameters, int selection)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;

    if (!context || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, selection, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

static EVP_PKEY *public_pair(idv_curve_t curve, idv_bytes_t point)
{
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                         (char *)curves[curve].name, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY,
                                          (void *)point.data, point.length),
        OSSL_PARAM_construct_end()
    };

    return key_from(parameters, EVP_PKEY_PUBLIC_KEY);
}

/* OpenSSL also reads hybrid encodings (06, 07) and the point at infinity. */
static int is_encoding(idv_curve_t curve, idv_bytes_t point)
{
    apr_size_t size = curves[curve].size;

    if (!curves[curve].has_pairs)
        return point.length == size;
    return (point.length == 1 + 2 * size && point.data[0] == 4)
           || (point.length == 1 + size
               && (point.data[0] == 2 || point.data[0] == 3));
}

idv_error_t *idv_elliptic_public_key(idv_curve_t curve, idv_bytes_t point,
                                     EVP_PKEY **key, apr_pool_t *pool)
{
    *key = NULL;
    if (curve == IDV_CURVE_NONE || !is_encoding(curve, point))
        return idv_error_param(pool, NULL, "The curve of a key is unknown.");
    *key = curves[curve].has_pairs
               ? public_pair(curve, point)
               : EVP_PKEY_new_raw_public_key_ex(NULL, curves[curve].name, NULL,
                                                point.data, point.length);
    ERR_clear_error();
    if (!idv_key_own(*key, pool))
        return idv_error_param(pool, NULL, "A key is not a point on its "
                                           "curve.");
    return NULL;
}

/* The parameters of the key pair with SCALAR; NULL if it is out of range. */
static OSSL_PARAM *pair_parameters(const EC_GROUP *group, const BIGNUM *scalar,
                                   OSSL_PARAM_BLD *builder)
{
    unsigned char point[IDV_P256_POINT_SIZE];
    EC_POINT *public_point = EC_POINT_new(group);
    OSSL_PARAM *parameters = NULL;

    if (public_point && !BN_is_zero(scalar)
        && BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0
        && EC_POINT_mul(group, public_point, scalar, NULL, NULL, NULL) == 1
        && EC_POINT_point2oct(group, public_point,
                              POINT_CONVERSION_UNCOMPRESSED, point,
                              sizeof(point), NULL)
               == sizeof(point)
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME,
                                           curves[IDV_CURVE_P256].name, 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY,
                                            point, sizeof(point))
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar))
        parameters = OSSL_PARAM_BLD_to_param(builder);
    EC_POINT_free(public_point);
    return parameters;
}

idv_error_t *idv_p256_private_key(idv_bytes_t scalar, EVP_PKEY **key,
                                  apr_pool_t *pool)
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *number = BN_secure_new();
    OSSL_PARAM *parameters = NULL;

    *key = NULL;
    if (group && builder && number && scalar.length == 32
        && BN_bin2bn(scalar.data, (int)scalar.length, number))
        parameters = pair_parameters(group, number, builder);
    if (parameters)
        *key = key_from(parameters, EVP_PKEY_KEYPAIR);
    OSSL_PARAM_free(parameters);
    BN_clear_free(number);
    OSSL_PARAM_BLD_free(builder);
    EC_GROUP_free(group);
    ERR_clear_error();
    if (!idv_key_own(*key, pool))
        return idv_error_param(pool, NULL, "A private key is not a P-256 key.");
    return NULL;
}

idv_error_t *idv_p256_point(const EVP_PKEY *key,
                            unsigned char point[IDV_P256_POINT_SIZE],
                            apr_pool_t *pool)
{
    size_t length = 0;

    if (idv_curve_of(key) != IDV_CURVE_P256
        || EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point,
                                           IDV_P256_POINT_SIZE, &length)
               != 1
        || length != IDV_P256_POINT_SIZE || point[0] != 4)
        return idv_error_internal(pool, "a key is not on P-256");
    return NULL;
}

idv_error_t *idv_elliptic_agree(EVP_PKEY *own, EVP_PKEY *other,
                                idv_bytes_t *secret, apr_pool_t *pool)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    unsigned char *bytes = apr_pcalloc(pool, IDV_COORDINATE_MAX);
    size_t length = IDV_COORDINATE_MAX;
    int agreed;

    idv_wipe_with_pool(bytes, IDV_COORDINATE_MAX, pool);
    agreed = context && EVP_PKEY_derive_init(context) == 1
             && EVP_PKEY_derive_set_peer(context, other) == 1
             && EVP_PKEY_derive(context, bytes, &length) == 1;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    if (!agreed)
        return idv_error_param(pool, NULL, "No shared secret could be derived "
                                           "from two keys.");
    secret->data = bytes;
    secret->length = length;
    return NULL;
}

idv_error_t *idv_p256_thumbprint(const EVP_PKEY *key,
                                 unsigned char thumbprint[IDV_DIGEST_SIZE],
                                 apr_pool_t *pool)
{
    unsigned char point[IDV_P256_POINT_SIZE];
    const char *x, *y, *text;

    IDV_TRY(idv_p256_point(key, point, pool));
    x = apr_pencode_base64_binary(pool, point + 1, 32,
                                  APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL);
    y = apr_pencode_base64_binary(pool, point + 33, 32,
                                  APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL);
    /* The members that RFC 7638, 3.2 requires, in the order of their names. */
    text = apr_psprintf(
        pool, "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"}", x,
        y);
    idv_sha256(text, strlen(text), thumbprint);
    return NULL;
}

/* --- signing --- */

/* Never prompts for a passphrase. */
static int refuse_passphrase(char *buffer, int size, int is_writing,
                             void *baton)
{
    (void)buffer;
    (void)size;
    (void)is_writing;
    (void)baton;
    return -1;
}

idv_error_t *idv_p256_read_pem(idv_bytes_t pem, EVP_PKEY **key,
                               apr_pool_t *pool)
{
    BIO *text = BIO_new_mem_buf(pem.data, (int)pem.length);

    *key = text ? PEM_read_bio_PrivateKey(text, NULL, refuse_passphrase, NULL)
                : NULL;
    BIO_free(text);
    ERR_clear_error();
    if (!idv_key_own(*key, pool) || idv_curve_of(*key) != IDV_CURVE_P256)
        return idv_error_internal(pool, "a private key is not a P-256 key");
    return NULL;
}

/* The two numbers of a DER signature, 32 bytes each. */
static int split_signature(const unsigned char *der, size_t length,
                           unsigned char signature[IDV_P256_SIGNATURE_SIZE])
{
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &der, (long)length);
    int is_split =
        pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32) == 32;

    ECDSA_SIG_free(pair);
    return is_split;
}

idv_error_t *idv_p256_sign(EVP_PKEY *key, idv_bytes_t message,
                           unsigned char signature[IDV_P256_SIGNATURE_SIZE],
                           apr_pool_t *pool)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char der[128];
    size_t length = sizeof(der);
    int is_signed =
        context
        && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, der, &length, message.data, message.length)
               == 1
        && split_signature(der, length, signature);

    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_signed ? NULL : idv_error_internal(pool, "nothing was signed");
}
