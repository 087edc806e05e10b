/* SPDX-License-Identifier: Apache-2.0 */
#include "core/web_token.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#define RSA_BITS 2048 /* of new keys */
#define RSA_BITS_MIN 2048
#define RSA_BITS_MAX 4096
#define EXPONENT_MAX 8 /* bytes of the public exponent */
#define WIDTH 32       /* bytes of a number on P-256 */
#define CURVE "prime256v1"
#define NAME_MAX_LENGTH 255 /* of a "kid" */

static const char *const algorithms[] = {
#define X(name, value) value,
    IDV_WEB_ALGORITHMS(X)
#undef X
};

const char *idv_web_algorithm_value(idv_web_algorithm_t algorithm)
{
    return algorithms[algorithm];
}

idv_web_algorithm_t idv_web_algorithm_parse(const char *value)
{
    for (int i = 0; value && i < IDV_WEB_ALGORITHM_COUNT; i++)
        if (strcmp(algorithms[i], value) == 0)
            return i;
    return IDV_WEB_ALGORITHM_NONE;
}

static idv_error_t *failed(const char *what, apr_pool_t *pool)
{
    ERR_clear_error();
    return idv_error_internal(pool, "%s", what);
}

static idv_error_t *refused(const char *what, apr_pool_t *pool)
{
    ERR_clear_error();
    return idv_error_param(pool, NULL, "%s", what);
}

/* --- base64url --- */

const char *idv_base64url(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes.data,
                                     (apr_ssize_t)bytes.length,
                                     APR_ENCODE_BASE64URL
                                         | APR_ENCODE_NOPADDING,
                                     NULL);
}

/* Decodes LENGTH characters in their only form; non-zero on success. A NUL
 * follows the bytes. */
static int decode(const char *text, apr_size_t length, idv_bytes_t *bytes,
                  apr_pool_t *pool)
{
    const char *copy = apr_pstrmemdup(pool, text, length);
    unsigned char *decoded;

    if (length == 0 || strlen(copy) != length || strpbrk(copy, "+/="))
        return 0;
    bytes->data = apr_pdecode_base64_binary(pool, copy, APR_ENCODE_STRING,
                                            APR_ENCODE_NONE, &bytes->length);
    if (!bytes->data || strcmp(idv_base64url(*bytes, pool), copy) != 0)
        return 0;
    decoded = apr_palloc(pool, bytes->length + 1);
    memcpy(decoded, bytes->data, bytes->length);
    decoded[bytes->length] = '\0';
    bytes->data = decoded;
    return 1;
}

/* --- private keys --- */

static apr_status_t free_key(void *key)
{
    EVP_PKEY_free(key);
    return APR_SUCCESS;
}

static EVP_PKEY *own(EVP_PKEY *key, apr_pool_t *pool)
{
    if (key)
        apr_pool_cleanup_register(pool, key, free_key, apr_pool_cleanup_null);
    return key;
}

idv_error_t *idv_web_key_create(idv_web_algorithm_t algorithm, idv_bytes_t *pem,
                                apr_pool_t *pool)
{
    EVP_PKEY *key =
        own(algorithm == IDV_WEB_RS256
                ? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)RSA_BITS)
                : EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"),
            pool);
    BIO *bio = BIO_new(BIO_s_secmem());
    char *text;
    long length = 0;

    if (key && bio
        && PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL)) {
        length = BIO_get_mem_data(bio, &text);
        pem->data =
            (unsigned char *)apr_pstrmemdup(pool, text, (apr_size_t)length);
        pem->length = (apr_size_t)length;
        idv_wipe_with_pool((void *)pem->data, pem->length, pool);
    }
    BIO_free(bio);
    return length > 0 ? NULL : failed("no new key for web tokens", pool);
}

/* --- public keys --- */

/* The number NAME of KEY, at least WIDTH_MIN bytes, in base64url; NULL: it has
 * none. */
static const char *number_of(const EVP_PKEY *key, const char *name,
                             int width_min, apr_pool_t *pool)
{
    BIGNUM *number = NULL;
    const char *text = NULL;
    unsigned char *bytes;
    int width;

    if (EVP_PKEY_get_bn_param(key, name, &number) == 1) {
        width = BN_num_bytes(number) > width_min ? BN_num_bytes(number)
                                                 : width_min;
        bytes = apr_palloc(pool, (apr_size_t)width);
        if (BN_bn2binpad(number, bytes, width) == width)
            text = idv_base64url((idv_bytes_t){bytes, (apr_size_t)width}, pool);
    }
    BN_free(number);
    return text;
}

/* The members of KEY that the thumbprint covers, in its order, without a space;
 * NULL: it cannot be written. */
static const char *members_of(const idv_web_key_t *key, apr_pool_t *pool)
{
    int is_rsa = key->algorithm == IDV_WEB_RS256;
    const char *one =
        number_of(key->key, is_rsa ? OSSL_PKEY_PARAM_RSA_E
                                   : OSSL_PKEY_PARAM_EC_PUB_X,
                  is_rsa ? 0 : WIDTH, pool);
    const char *other =
        number_of(key->key, is_rsa ? OSSL_PKEY_PARAM_RSA_N
                                   : OSSL_PKEY_PARAM_EC_PUB_Y,
                  is_rsa ? 0 : WIDTH, pool);

    if (!one || !other)
        return NULL;
    return is_rsa ? apr_pstrcat(pool, "\"e\":\"", one,
                                "\",\"kty\":\"RSA\",\"n\":\"", other, "\"",
                                NULL)
                  : apr_pstrcat(pool,
                                "\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"",
                                one, "\",\"y\":\"", other, "\"", NULL);
}

idv_error_t *idv_web_key_read(idv_bytes_t pem, idv_web_key_t *key,
                              apr_pool_t *pool)
{
    BIO *bio = BIO_new_mem_buf(pem.data, (int)pem.length);
    unsigned char digest[IDV_DIGEST_SIZE];
    const char *members;

    key->key = own(bio ? PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL) : NULL,
                   pool);
    BIO_free(bio);
    if (!key->key)
        return failed("a stored key for web tokens cannot be read", pool);
    key->algorithm =
        EVP_PKEY_is_a(key->key, "RSA") ? IDV_WEB_RS256 : IDV_WEB_ES256;
    members = members_of(key, pool);
    if (!members)
        return failed("a stored key for web tokens has no public part", pool);
    members = apr_pstrcat(pool, "{", members, "}", NULL);
    idv_sha256(members, strlen(members), digest);
    key->id = idv_base64url((idv_bytes_t){digest, sizeof(digest)}, pool);
    return NULL;
}

idv_error_t *idv_web_key_text(const idv_web_key_t *key, const char **text,
                              apr_pool_t *pool)
{
    const char *members = members_of(key, pool);

    if (!members)
        return failed("a key for web tokens has no public part", pool);
    *text = apr_pstrcat(pool, "{", members, ",\"use\":\"sig\",\"alg\":\"",
                        algorithms[key->algorithm], "\",\"kid\":\"", key->id,
                        "\"}", NULL);
    return NULL;
}

static int read_number(const json_t *jwk, const char *name, apr_size_t most,
                       idv_bytes_t *bytes, apr_pool_t *pool)
{
    const char *text = json_string_value(json_object_get(jwk, name));

    return text && strlen(text) <= most * 2
        && decode(text, strlen(text), bytes, pool) && bytes->length <= most;
}

static EVP_PKEY *key_from(const char *type, OSSL_PARAM_BLD *builder,
                          apr_pool_t *pool)
{
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;

    if (!parameters || !context || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters)
               != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return own(key, pool);
}

static EVP_PKEY *read_point(const json_t *jwk, apr_pool_t *pool)
{
    const char *curve = json_string_value(json_object_get(jwk, "crv"));
    unsigned char point[1 + 2 * WIDTH] = {POINT_CONVERSION_UNCOMPRESSED};
    OSSL_PARAM_BLD *builder;
    idv_bytes_t x, y;
    EVP_PKEY *key = NULL;

    if (!curve || strcmp(curve, "P-256") != 0
        || !read_number(jwk, "x", WIDTH, &x, pool)
        || !read_number(jwk, "y", WIDTH, &y, pool) || x.length != WIDTH
        || y.length != WIDTH)
        return NULL;
    memcpy(point + 1, x.data, WIDTH);
    memcpy(point + 1 + WIDTH, y.data, WIDTH);
    builder = OSSL_PARAM_BLD_new();
    if (builder
        && OSSL_PARAM_BLD_push_utf8_string(
            builder, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY,
                                            point, sizeof(point)))
        key = key_from("EC", builder, pool);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

static EVP_PKEY *read_modulus(const json_t *jwk, apr_pool_t *pool)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *modulus = NULL, *exponent = NULL;
    idv_bytes_t n, e;
    EVP_PKEY *key = NULL;

    if (read_number(jwk, "n", RSA_BITS_MAX / 8, &n, pool)
        && read_number(jwk, "e", EXPONENT_MAX, &e, pool)) {
        modulus = BN_bin2bn(n.data, (int)n.length, NULL);
        exponent = BN_bin2bn(e.data, (int)e.length, NULL);
    }
    if (builder && modulus && exponent && BN_num_bits(modulus) >= RSA_BITS_MIN
        && BN_is_odd(modulus) && BN_is_odd(exponent) && !BN_is_one(exponent)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent))
        key = key_from("RSA", builder, pool);
    OSSL_PARAM_BLD_free(builder);
    BN_free(modulus);
    BN_free(exponent);
    return key;
}

/* Whether MEMBER of JWK is absent or VALUE. */
static int allows(const json_t *jwk, const char *member, const char *value)
{
    const json_t *found = json_object_get(jwk, member);

    return !found
        || (json_is_string(found)
            && strcmp(json_string_value(found), value) == 0);
}

idv_error_t *idv_web_key_parse(const json_t *jwk, idv_web_key_t *key,
                               apr_pool_t *pool)
{
    const char *type = json_string_value(json_object_get(jwk, "kty"));
    const json_t *id = json_object_get(jwk, "kid");

    memset(key, 0, sizeof(*key));
    if (json_object_get(jwk, "d") || json_object_get(jwk, "k"))
        return refused("Pass public keys only.", pool);
    if (type && strcmp(type, "EC") == 0) {
        key->algorithm = IDV_WEB_ES256;
        key->key = read_point(jwk, pool);
    } else if (type && strcmp(type, "RSA") == 0) {
        key->algorithm = IDV_WEB_RS256;
        key->key = read_modulus(jwk, pool);
    }
    if (!key->key || !allows(jwk, "use", "sig")
        || !allows(jwk, "alg", algorithms[key->algorithm])
        || (id && !json_is_string(id))
        || json_string_length(id) > NAME_MAX_LENGTH)
        return refused("Pass keys for ES256 (P-256) or RS256 (2048 to 4096 "
                       "bits).",
                       pool);
    key->id = json_string_value(id);
    return NULL;
}

/* --- signatures --- */

/* r and s of a signature in DER, each as wide as the curve (RFC 7518, 3.4). */
static int to_pair(const unsigned char *der, size_t length,
                   unsigned char pair[2 * WIDTH])
{
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)length);
    int done = signature
            && BN_bn2binpad(ECDSA_SIG_get0_r(signature), pair, WIDTH) == WIDTH
            && BN_bn2binpad(ECDSA_SIG_get0_s(signature), pair + WIDTH, WIDTH)
                   == WIDTH;

    ECDSA_SIG_free(signature);
    return done;
}

/* The reverse of to_pair(); empty on failure. */
static idv_bytes_t from_pair(idv_bytes_t pair, apr_pool_t *pool)
{
    idv_bytes_t der = {NULL, 0};
    ECDSA_SIG *signature = pair.length == 2 * WIDTH ? ECDSA_SIG_new() : NULL;
    BIGNUM *r = signature ? BN_bin2bn(pair.data, WIDTH, NULL) : NULL;
    BIGNUM *s = signature ? BN_bin2bn(pair.data + WIDTH, WIDTH, NULL) : NULL;
    unsigned char *out = NULL;
    int length;

    if (signature && r && s && ECDSA_SIG_set0(signature, r, s)) {
        length = i2d_ECDSA_SIG(signature, &out);
        if (length > 0)
            der = (idv_bytes_t){apr_pmemdup(pool, out, (apr_size_t)length),
                                (apr_size_t)length};
        OPENSSL_free(out);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(signature);
    return der;
}

/* Writes the signature over TEXT into SIGNATURE. */
static int sign(const idv_web_key_t *key, const char *text,
                idv_bytes_t *signature, apr_pool_t *pool)
{
    size_t length = (size_t)EVP_PKEY_get_size(key->key);
    unsigned char *bytes = apr_palloc(pool, length);
    unsigned char *pair = apr_palloc(pool, 2 * WIDTH);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = context
            && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key->key)
                   == 1
            && EVP_DigestSign(context, bytes, &length,
                              (const unsigned char *)text, strlen(text))
                   == 1;

    EVP_MD_CTX_free(context);
    *signature = (idv_bytes_t){bytes, length};
    if (!done || key->algorithm == IDV_WEB_RS256)
        return done;
    *signature = (idv_bytes_t){pair, 2 * WIDTH};
    return to_pair(bytes, length, pair);
}

idv_error_t *idv_web_token_sign(const idv_web_key_t *key, const char *claims,
                                const char **token, apr_pool_t *pool)
{
    const char *header = apr_pstrcat(pool, "{\"alg\":\"",
                                     algorithms[key->algorithm],
                                     "\",\"typ\":\"JWT\",\"kid\":\"", key->id,
                                     "\"}", NULL);
    idv_bytes_t parts[] = {
        {(const unsigned char *)header, strlen(header)},
        {(const unsigned char *)claims, strlen(claims)}};
    const char *text =
        apr_pstrcat(pool, idv_base64url(parts[0], pool), ".",
                    idv_base64url(parts[1], pool), NULL);
    idv_bytes_t signature;

    if (!sign(key, text, &signature, pool))
        return failed("a web token could not be signed", pool);
    *token = apr_pstrcat(pool, text, ".", idv_base64url(signature, pool), NULL);
    return NULL;
}

int idv_web_token_is_by(const idv_web_token_t *token, const idv_web_key_t *key,
                        apr_pool_t *pool)
{
    idv_bytes_t signature = token->signature;
    EVP_MD_CTX *context;
    int is_right;

    if (token->algorithm != key->algorithm)
        return 0;
    if (key->algorithm == IDV_WEB_ES256)
        signature = from_pair(signature, pool);
    context = EVP_MD_CTX_new();
    is_right = context && signature.length
            && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key->key)
                   == 1
            && EVP_DigestVerify(context, signature.data, signature.length,
                                token->signed_text.data,
                                token->signed_text.length)
                   == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_right;
}

/* --- tokens of others --- */

static const char *const refused_members[] = {"crit", "b64", "jwk",
                                              "jku",  "x5c", "x5u"};

static int read_header(idv_bytes_t text, idv_web_token_t *token,
                       apr_pool_t *pool)
{
    const json_t *id;
    json_t *header;

    if (idv_json_parse((const char *)text.data, text.length, &header, pool))
        return 0;
    for (size_t i = 0; i < sizeof(refused_members) / sizeof(*refused_members);
         i++)
        if (json_object_get(header, refused_members[i]))
            return 0;
    token->algorithm = idv_web_algorithm_parse(
        json_string_value(json_object_get(header, "alg")));
    id = json_object_get(header, "kid");
    token->key_id = json_string_value(id);
    return token->algorithm != IDV_WEB_ALGORITHM_NONE
        && (!id || json_is_string(id));
}

idv_error_t *idv_web_token_parse(const char *text, idv_web_token_t *token,
                                 apr_pool_t *pool)
{
    apr_size_t length = strlen(text);
    const char *first = strchr(text, '.');
    const char *second = first ? strchr(first + 1, '.') : NULL;
    idv_bytes_t header, payload;
    json_t *claims;

    memset(token, 0, sizeof(*token));
    if (!second || length > IDV_WEB_TOKEN_MAX || strchr(second + 1, '.')
        || !decode(text, (apr_size_t)(first - text), &header, pool)
        || !decode(first + 1, (apr_size_t)(second - first - 1), &payload, pool)
        || !decode(second + 1, strlen(second + 1), &token->signature, pool)
        || !read_header(header, token, pool)
        || idv_json_parse((const char *)payload.data, payload.length, &claims,
                          pool))
        return refused("is not a token that is signed with ES256 or RS256.",
                       pool);
    token->claims = claims;
    token->signed_text = (idv_bytes_t){(const unsigned char *)text,
                                       (apr_size_t)(second - text)};
    return NULL;
}
