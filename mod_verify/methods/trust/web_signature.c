/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/web_signature.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>

#include "core/json.h"
#include "methods/mdl/elliptic_key.h"
#include "methods/mdl/response_encryption.h"

typedef struct {
    const char *name;
    const char *digest;
    idv_curve_t curve;
} algorithm_t;

static const algorithm_t algorithms[] = {
    {"ES256", "SHA256", IDV_CURVE_P256},
    {"ES384", "SHA384", IDV_CURVE_P384},
    {"ES512", "SHA512", IDV_CURVE_P521},
};

static const char no_signature[] = "is not a JSON Web Signature";

static const algorithm_t *find_algorithm(const char *name)
{
    for (size_t i = 0; name && i < sizeof(algorithms) / sizeof(*algorithms);
         i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}

static const char *read_header(idv_bytes_t text, idv_web_signature_t *jws,
                               apr_pool_t *pool)
{
    json_t *header;

    if (idv_json_parse((const char *)text.data, text.length, &header, pool))
        return no_signature;
    jws->header = header;
    jws->algorithm =
        find_algorithm(json_string_value(json_object_get(header, "alg")));
    return jws->algorithm && !json_object_get(header, "crit")
                && !json_object_get(header, "b64")
             ? NULL
             : "is signed in an unknown way";
}

const char *idv_web_signature_fault(idv_bytes_t bytes, idv_web_signature_t *jws,
                                    apr_pool_t *pool)
{
    const char *text = (const char *)bytes.data, *end = text + bytes.length;
    const char *first, *second;
    idv_bytes_t header;

    memset(jws, 0, sizeof(*jws));
    while (end > text && end[-1] && strchr(" \r\n", end[-1]))
        end--;
    first = end > text ? memchr(text, '.', (size_t)(end - text)) : NULL;
    second = first ? memchr(first + 1, '.', (size_t)(end - first - 1)) : NULL;
    if (!second)
        return no_signature;
    jws->signed_text = (idv_bytes_t){bytes.data, (apr_size_t)(second - text)};
    if (idv_base64url_decode(text, (apr_size_t)(first - text), &header, pool)
        || idv_base64url_decode(first + 1, (apr_size_t)(second - first - 1),
                                &jws->payload, pool)
        || idv_base64url_decode(second + 1, (apr_size_t)(end - second - 1),
                                &jws->signature, pool))
        return no_signature;
    return read_header(header, jws, pool);
}

/* Converts r and s, each as wide as the curve (RFC 7518, 3.4), to DER. */
static idv_bytes_t der_signature(idv_bytes_t raw, apr_size_t width,
                                 apr_pool_t *pool)
{
    idv_bytes_t der = {NULL, 0};
    ECDSA_SIG *pair = raw.length == 2 * width ? ECDSA_SIG_new() : NULL;
    BIGNUM *r = pair ? BN_bin2bn(raw.data, (int)width, NULL) : NULL;
    BIGNUM *s = pair ? BN_bin2bn(raw.data + width, (int)width, NULL) : NULL;
    unsigned char *out = NULL;
    int length;

    if (pair && r && s && ECDSA_SIG_set0(pair, r, s)) {
        length = i2d_ECDSA_SIG(pair, &out);
        if (length > 0)
            der = (idv_bytes_t){apr_pmemdup(pool, out, (apr_size_t)length),
                                (apr_size_t)length};
        OPENSSL_free(out);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(pair);
    return der;
}

int idv_web_signature_is_by(const idv_web_signature_t *jws, EVP_PKEY *key,
                            apr_pool_t *pool)
{
    const algorithm_t *algorithm = jws->algorithm;
    idv_bytes_t der =
        der_signature(jws->signature, idv_curve_size(algorithm->curve), pool);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int is_right =
        context && der.length && idv_curve_of(key) == algorithm->curve
        && EVP_DigestVerifyInit(context, NULL,
                                EVP_get_digestbyname(algorithm->digest), NULL,
                                key)
               == 1
        && EVP_DigestVerify(context, der.data, der.length,
                            jws->signed_text.data, jws->signed_text.length)
               == 1;

    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_right;
}
