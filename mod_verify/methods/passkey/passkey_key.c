/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passkey/passkey_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>

#include "methods/mdl/cose.h"

#define KEY_ITEMS_MAX 32 /* in the CBOR of a key */

/* Parameters of keys (RFC 9052, 7.1; RFC 8230, 4). */
enum {
    KEY_TYPE = 1,
    KEY_ALGORITHM = 3,
    KEY_MODULUS = -1,
    KEY_EXPONENT = -2,
    KEY_Y = -3,
    KEY_TYPE_RSA = 3
};

#define MODULUS_MIN 256 /* bytes */
#define MODULUS_MAX 512
#define EXPONENT_MAX 4

static idv_error_t *fault(const char *text, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "Key of a passkey: %s", text);
}

/* --- RSA --- */

/* Without leading zeros, and odd, as every modulus and exponent is. */
static int is_odd_number(const idv_cbor_t *item, apr_size_t least,
                         apr_size_t most)
{
    return idv_cbor_is(item, IDV_CBOR_BYTES) && item->content.length >= least
        && item->content.length <= most && item->content.data[0] != 0
        && (item->content.data[item->content.length - 1] & 1);
}

static EVP_PKEY *make_rsa(idv_bytes_t modulus, idv_bytes_t exponent)
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus.data, (int)modulus.length, NULL);
    BIGNUM *e = BN_bin2bn(exponent.data, (int)exponent.length, NULL);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    OSSL_PARAM *params = NULL;
    EVP_PKEY *key = NULL;

    if (build && n && e && context
        && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e)
        && (params = OSSL_PARAM_BLD_to_param(build))
        && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    BN_free(n);
    BN_free(e);
    ERR_clear_error();
    return key;
}

static idv_error_t *read_rsa(const idv_cbor_t *map, EVP_PKEY **key,
                             apr_pool_t *pool)
{
    const idv_cbor_t *modulus = idv_cbor_member_number(map, KEY_MODULUS);
    const idv_cbor_t *exponent = idv_cbor_member_number(map, KEY_EXPONENT);

    if (!is_odd_number(modulus, MODULUS_MIN, MODULUS_MAX)
        || !is_odd_number(exponent, 1, EXPONENT_MAX)
        || (exponent->content.length == 1 && exponent->content.data[0] == 1))
        return fault("modulus or exponent is out of bounds", pool);
    *key = idv_key_own(make_rsa(modulus->content, exponent->content), pool);
    return *key ? NULL : fault("it is not an RSA key", pool);
}

/* --- all --- */

static idv_error_t *read_elliptic(const idv_cbor_t *map, idv_curve_t curve,
                                  EVP_PKEY **key, apr_pool_t *pool)
{
    IDV_TRY(idv_cose_key(map, key, pool));
    if (idv_curve_of(*key) != curve)
        return fault("it is not on the curve of its algorithm", pool);
    return NULL;
}

static idv_error_t *read_map(const idv_cbor_t *map, idv_passkey_key_t *key,
                             apr_pool_t *pool)
{
    apr_int64_t algorithm = 0, type = 0;

    if (!idv_cbor_integer(idv_cbor_member_number(map, KEY_ALGORITHM),
                          &algorithm)
        || !idv_cbor_integer(idv_cbor_member_number(map, KEY_TYPE), &type))
        return fault("its type or algorithm is missing", pool);
    key->algorithm = (idv_passkey_algorithm_t)algorithm;
    switch (algorithm) {
    case IDV_PASSKEY_EDDSA:
        return read_elliptic(map, IDV_CURVE_ED25519, &key->key, pool);
    case IDV_PASSKEY_ES256:
        if (!idv_cbor_is(idv_cbor_member_number(map, KEY_Y), IDV_CBOR_BYTES))
            return fault("its point is compressed", pool);
        return read_elliptic(map, IDV_CURVE_P256, &key->key, pool);
    case IDV_PASSKEY_RS256:
        return type == KEY_TYPE_RSA ? read_rsa(map, &key->key, pool)
                                    : fault("it is not of type RSA", pool);
    default:
        return fault("its algorithm was not offered", pool);
    }
}

idv_error_t *idv_passkey_key_read(idv_bytes_t *bytes, idv_bytes_t *encoded,
                                  idv_passkey_key_t *key, apr_pool_t *pool)
{
    idv_cbor_budget_t budget = {KEY_ITEMS_MAX};
    const idv_cbor_t *map;

    IDV_TRY(idv_cbor_read_first(bytes, &budget, &map, pool));
    if (!idv_cbor_is(map, IDV_CBOR_MAP)
        || map->encoded.length > IDV_PASSKEY_KEY_MAX)
        return fault("it is not a map, or too long", pool);
    *encoded = map->encoded;
    return read_map(map, key, pool);
}

int idv_passkey_key_verifies(const idv_passkey_key_t *key, idv_bytes_t text,
                             idv_bytes_t signature)
{
    const char *digest =
        key->algorithm == IDV_PASSKEY_EDDSA ? NULL : "SHA256";
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int is_valid =
        context && signature.length
        && EVP_DigestVerifyInit_ex(context, NULL, digest, NULL, NULL, key->key,
                                   NULL)
               == 1
        && EVP_DigestVerify(context, signature.data, signature.length,
                            text.data, text.length)
               == 1;

    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_valid;
}
