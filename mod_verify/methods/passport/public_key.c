/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/public_key.h"

#include <stdlib.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "methods/passport/tlv.h"

static idv_error_t *unsupported(apr_pool_t *pool, const char *what)
{
    ERR_clear_error();
    return idv_error_param(pool, NULL, "%s is not supported.", what);
}

static apr_status_t free_key(void *key)
{
    EVP_PKEY_free(key);
    return APR_SUCCESS;
}

static apr_status_t free_curve(void *curve)
{
    EC_GROUP_free(curve);
    return APR_SUCCESS;
}

/* --- keys --- */

idv_error_t *idv_public_key_curve(const EVP_PKEY *key, EC_GROUP **curve,
                                  apr_pool_t *pool)
{
    OSSL_PARAM *parameters = NULL;

    *curve = NULL;
    if (EVP_PKEY_todata(key, EVP_PKEY_KEY_PARAMETERS, &parameters) == 1)
        *curve = EC_GROUP_new_from_params(parameters, NULL, NULL);
    OSSL_PARAM_free(parameters);
    if (!*curve)
        return unsupported(pool, "The curve");
    apr_pool_cleanup_register(pool, *curve, free_curve, apr_pool_cleanup_null);
    return NULL;
}

static idv_error_t *check_curve(const EVP_PKEY *key, apr_pool_t *pool)
{
    EC_GROUP *curve;

    IDV_TRY(idv_public_key_curve(key, &curve, pool));
    if (EC_GROUP_order_bits(curve) < IDV_EC_BITS_MIN
        || EC_GROUP_check_named_curve(curve, 0, NULL) == NID_undef)
        return unsupported(pool, "The curve");
    return NULL;
}

/* Refuses types of keys other than RSA, EC and DH, sizes outside the limits
 * above, and curves without a name. */
static idv_error_t *check_key(const EVP_PKEY *key, apr_pool_t *pool)
{
    int bits = EVP_PKEY_get_bits(key);

    if (EVP_PKEY_is_a(key, "EC"))
        return check_curve(key, pool);
    if (EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_is_a(key, "RSA-PSS"))
        return bits < IDV_RSA_BITS_MIN || bits > IDV_RSA_BITS_MAX
                 ? unsupported(pool, "The size of the RSA key")
                 : NULL;
    if (EVP_PKEY_is_a(key, "DH") || EVP_PKEY_is_a(key, "DHX"))
        return bits < IDV_DH_BITS_MIN || bits > IDV_DH_BITS_MAX
                 ? unsupported(pool, "The size of the DH key")
                 : NULL;
    return unsupported(pool, "The kind of key");
}

/* The key on CURVE with the encoded POINT; NULL if that is not on the curve. */
static EVP_PKEY *key_on_curve(const char *curve, idv_bytes_t point)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                         (char *)curve, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY,
                                          (void *)point.data, point.length),
        OSSL_PARAM_construct_end()};
    EVP_PKEY *key = NULL;

    if (!context || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters)
               != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

/* SEQUENCE { SEQUENCE { standardizedDomainParameters, INTEGER }, BIT STRING }
 */
static EVP_PKEY *read_standardized(idv_bytes_t info)
{
    static const char *const curves[] = {
        [8] = "prime192v1",       [9] = "brainpoolP192r1",
        [10] = "secp224r1",       [11] = "brainpoolP224r1",
        [12] = "prime256v1",      [13] = "brainpoolP256r1",
        [14] = "brainpoolP320r1", [15] = "secp384r1",
        [16] = "brainpoolP384r1", [17] = "brainpoolP512r1",
        [18] = "secp521r1",
    };
    int fault = 0, number;
    idv_tlv_reader_t outer = idv_tlv_open(info, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE);
    idv_tlv_reader_t algorithm = idv_tlv_enter(&reader, IDV_TLV_SEQUENCE);
    idv_bytes_t object = idv_tlv_expect(&algorithm, IDV_TLV_OBJECT).content;
    idv_bytes_t point;

    number = idv_tlv_read_integer(&algorithm);
    idv_tlv_finish(&algorithm);
    point = idv_tlv_read_bits(&reader);
    idv_tlv_finish(&reader);
    idv_tlv_finish(&outer);
    if (fault
        || !idv_bytes_equal(object,
                            IDV_TLV_BYTES("\x04\x00\x7f\x00\x07\x01\x02"))
        || number >= (int)(sizeof(curves) / sizeof(*curves)) || !curves[number])
        return NULL;
    return key_on_curve(curves[number], point);
}

idv_error_t *idv_public_key_read(idv_bytes_t info, EVP_PKEY **key,
                                 apr_pool_t *pool)
{
    const unsigned char *at = info.data;

    *key = d2i_PUBKEY(NULL, &at, (long)info.length);
    if (!*key) {
        at = info.data + info.length;
        *key = read_standardized(info);
    }
    if (!*key)
        return unsupported(pool, "The key");
    apr_pool_cleanup_register(pool, *key, free_key, apr_pool_cleanup_null);
    ERR_clear_error();
    if (at != info.data + info.length)
        return unsupported(pool, "The key");
    return check_key(*key, pool);
}

EVP_PKEY *idv_public_key_unrestricted(const EVP_PKEY *key, apr_pool_t *pool)
{
    BIGNUM *modulus = NULL, *exponent = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *plain = NULL;

    if (EVP_PKEY_is_a(key, "RSA-PSS") && builder && context
        && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1
        && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL
        && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &plain, EVP_PKEY_PUBLIC_KEY, parameters)
               == 1)
        apr_pool_cleanup_register(pool, plain, free_key, apr_pool_cleanup_null);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_free(modulus);
    BN_free(exponent);
    ERR_clear_error();
    return plain;
}

/* --- algorithms --- */

static const EVP_MD *digest_of(int nid)
{
    static const int known[] = {NID_sha1, NID_sha224, NID_sha256, NID_sha384,
                                NID_sha512};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (known[i] == nid)
            return EVP_get_digestbynid(nid);
    return NULL;
}

/* The algorithm in DER; NULL if BYTES are not valid. */
static X509_ALGOR *algorithm_of(idv_bytes_t bytes)
{
    const unsigned char *at = bytes.data;
    X509_ALGOR *algorithm = d2i_X509_ALGOR(NULL, &at, (long)bytes.length);

    if (algorithm && at != bytes.data + bytes.length) {
        X509_ALGOR_free(algorithm);
        algorithm = NULL;
    }
    ERR_clear_error();
    return algorithm;
}

static int nid_of(const X509_ALGOR *algorithm)
{
    const ASN1_OBJECT *object = NULL;

    if (!algorithm)
        return NID_undef;
    X509_ALGOR_get0(&object, NULL, NULL, algorithm);
    return OBJ_obj2nid(object);
}

const EVP_MD *idv_digest_find(idv_bytes_t bytes)
{
    X509_ALGOR *algorithm = algorithm_of(bytes);
    const EVP_MD *digest = digest_of(nid_of(algorithm));

    X509_ALGOR_free(algorithm);
    return digest;
}

/* The hash function of the mask; the default is MGF1 with SHA-1. */
static const EVP_MD *mask_digest_of(const X509_ALGOR *mask)
{
    const ASN1_STRING *inner;
    int type;
    const void *value;

    if (!mask)
        return EVP_sha1();
    X509_ALGOR_get0(NULL, &type, &value, mask);
    if (nid_of(mask) != NID_mgf1 || type != V_ASN1_SEQUENCE)
        return NULL;
    inner = value;
    return idv_digest_find((idv_bytes_t){
        ASN1_STRING_get0_data(inner), (apr_size_t)ASN1_STRING_length(inner)});
}

/* RFC 4055, 3.1: absent parameters have defaults, SHA-1 and a salt of 20
 * bytes. */
static void read_pss(const X509_ALGOR *algorithm,
                     idv_signature_scheme_t *scheme)
{
    const void *value;
    int type;
    RSA_PSS_PARAMS *pss = NULL;

    scheme->digest = NULL;
    X509_ALGOR_get0(NULL, &type, &value, algorithm);
    if (type == V_ASN1_SEQUENCE) {
        const ASN1_STRING *text = value;
        const unsigned char *at = ASN1_STRING_get0_data(text);

        pss = d2i_RSA_PSS_PARAMS(NULL, &at, ASN1_STRING_length(text));
    }
    if (pss
        && (!pss->trailerField || ASN1_INTEGER_get(pss->trailerField) == 1)) {
        long salt = pss->saltLength ? ASN1_INTEGER_get(pss->saltLength) : 20;

        scheme->digest = pss->hashAlgorithm
                           ? digest_of(nid_of(pss->hashAlgorithm))
                           : EVP_sha1();
        scheme->mask_digest = mask_digest_of(pss->maskGenAlgorithm);
        scheme->salt_length = (int)salt;
        if (!scheme->mask_digest || salt < 0 || salt > EVP_MAX_MD_SIZE * 8)
            scheme->digest = NULL;
    }
    RSA_PSS_PARAMS_free(pss);
}

idv_error_t *idv_signature_scheme_read(idv_bytes_t bytes, const EVP_MD *digest,
                                       idv_signature_scheme_t *scheme,
                                       apr_pool_t *pool)
{
    X509_ALGOR *algorithm = algorithm_of(bytes);
    int nid = nid_of(algorithm), digest_nid, key_nid;

    *scheme = (idv_signature_scheme_t){NULL, NULL, 0};
    if (nid == NID_rsassaPss)
        read_pss(algorithm, scheme);
    else if (nid == NID_rsaEncryption || nid == NID_X9_62_id_ecPublicKey)
        scheme->digest = digest;
    else if (OBJ_find_sigid_algs(nid, &digest_nid, &key_nid)
             && (key_nid == NID_rsaEncryption
                 || key_nid == NID_X9_62_id_ecPublicKey))
        scheme->digest = digest_of(digest_nid);
    X509_ALGOR_free(algorithm);
    return scheme->digest ? NULL : unsupported(pool, "The algorithm");
}

/* --- signatures --- */

/* Sets the padding, which RSA needs in addition to the hash function; non-zero
 * on success. */
static int set_padding(EVP_PKEY_CTX *context, const EVP_PKEY *key,
                       const idv_signature_scheme_t *scheme)
{
    int is_rsa = EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_is_a(key, "RSA-PSS");

    if (!scheme->mask_digest)
        return !is_rsa
            || EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) > 0;
    return is_rsa
        && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, scheme->mask_digest) > 0
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, scheme->salt_length) > 0;
}

int idv_signature_is_right(EVP_PKEY *key, const idv_signature_scheme_t *scheme,
                           idv_bytes_t data, idv_bytes_t signature)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *settings; /* owned by the context */
    int right =
        context
        && EVP_DigestVerifyInit(context, &settings, scheme->digest, NULL, key)
               == 1
        && set_padding(settings, key, scheme)
        && EVP_DigestVerify(context, signature.data, signature.length,
                            data.data, data.length)
               == 1;

    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return right;
}

idv_bytes_t idv_hash(const EVP_MD *digest, idv_bytes_t data,
                     unsigned char *hash)
{
    unsigned length = 0;

    /* Without memory for a digest, no conclusion is possible. */
    if (EVP_Digest(data.data, data.length, hash, &length, digest, NULL) != 1)
        abort();
    return (idv_bytes_t){hash, length};
}
