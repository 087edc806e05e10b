/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/cose.h"

#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Labels of headers (RFC 9052, 3.1; RFC 9360, 2). */
enum { LABEL_ALGORITHM = 1, LABEL_CRITICAL = 2, LABEL_X5CHAIN = 33 };

/* Parameters of keys (RFC 9052, 7.1; RFC 9053, 7). */
enum {
    KEY_TYPE = 1,
    KEY_CURVE = -1,
    KEY_X = -2,
    KEY_Y = -3,
    KEY_PRIVATE = -4,
    KEY_TYPE_OKP = 1,
    KEY_TYPE_EC2 = 2
};

typedef struct {
    const char *name;
    apr_int64_t number;
    const char *digest;
    unsigned curves;
} algorithm_t;

static const algorithm_t algorithms[] = {
#define X(name, number, digest, curves) { name, number, digest, curves },
    IDV_COSE_SIGNATURE_ALGORITHMS(X)
#undef X
};

static const algorithm_t *find_algorithm(apr_int64_t number)
{
    for (int i = 0; i < COUNT(algorithms); i++)
        if (algorithms[i].number == number)
            return &algorithms[i];
    return NULL;
}

const char *idv_cose_algorithm_name(apr_int64_t number)
{
    const algorithm_t *algorithm = find_algorithm(number);

    if (number == IDV_COSE_HMAC_256)
        return "HMAC 256/256";
    return algorithm ? algorithm->name : NULL;
}

/* --- reading --- */

static idv_error_t *fault(const char *text, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "COSE: %s", text);
}

static int have_common_label(const idv_cbor_t *a, const idv_cbor_t *b)
{
    for (const idv_cbor_t *key = a->first; key; key = key->next->next) {
        apr_int64_t number;
        const idv_cbor_t *other = NULL;

        if (idv_cbor_text(key))
            other = idv_cbor_member(b, idv_cbor_text(key));
        else if (idv_cbor_integer(key, &number))
            other = idv_cbor_member_number(b, number);
        if (other)
            return 1;
    }
    return 0;
}

static idv_error_t *read_headers(idv_cose_message_t *message,
                                 idv_cbor_budget_t *budget, apr_pool_t *pool)
{
    static const unsigned char empty_map[] = { 0xa0 };
    idv_bytes_t header = message->protected_bytes;

    if (!header.length)
        header = (idv_bytes_t){ empty_map, sizeof(empty_map) };
    IDV_TRY(idv_cbor_read(header, budget, &message->protected_header, pool));
    if (!idv_cbor_is(message->protected_header, IDV_CBOR_MAP)
        || !idv_cbor_is(message->unprotected_header, IDV_CBOR_MAP))
        return fault("a header is not a map", pool);
    if (have_common_label(message->protected_header,
                          message->unprotected_header))
        return fault("a label is in both headers", pool);
    if (idv_cbor_member_number(message->protected_header, LABEL_CRITICAL)
        || idv_cbor_member_number(message->unprotected_header, LABEL_CRITICAL))
        return fault("an unknown extension is critical", pool);
    if (!idv_cbor_integer(
            idv_cbor_member_number(message->protected_header, LABEL_ALGORITHM),
            &message->algorithm))
        message->algorithm = 0;
    return NULL;
}

idv_error_t *idv_cose_read(const idv_cbor_t *item, idv_cbor_budget_t *budget,
                           idv_cose_message_t *message, apr_pool_t *pool)
{
    const idv_cbor_t *header, *unprotected, *payload, *signature;

    memset(message, 0, sizeof(*message));
    if (!idv_cbor_is(item, IDV_CBOR_ARRAY) || item->count != 4)
        return fault("a message is not an array of four", pool);
    header = item->first;
    unprotected = header->next;
    payload = unprotected->next;
    signature = payload->next;
    message->is_detached = idv_cbor_is_simple(payload, IDV_CBOR_NULL);
    if (!idv_cbor_is(header, IDV_CBOR_BYTES)
        || !idv_cbor_is(signature, IDV_CBOR_BYTES)
        || (!message->is_detached && !idv_cbor_is(payload, IDV_CBOR_BYTES)))
        return fault("a part of a message has another type", pool);
    message->protected_bytes = header->content;
    message->unprotected_header = unprotected;
    message->payload = payload->content;
    message->signature = signature->content;
    return read_headers(message, budget, pool);
}

idv_error_t *idv_cose_signer_certificate(const idv_cose_message_t *message,
                                         idv_bytes_t *certificate,
                                         apr_pool_t *pool)
{
    const idv_cbor_t *chain =
        idv_cbor_member_number(message->unprotected_header, LABEL_X5CHAIN);

    if (idv_cbor_is(chain, IDV_CBOR_ARRAY)) {
        if (chain->count > IDV_COSE_MAX_CERTIFICATES)
            return fault("too many certificates", pool);
        chain = chain->first;
    }
    if (!idv_cbor_is(chain, IDV_CBOR_BYTES) || !chain->content.length)
        return fault("no certificate of the signer", pool);
    *certificate = chain->content;
    return NULL;
}

/* The point of a key of type EC2; y is a coordinate, or tells whether it is
 * odd. */
static idv_error_t *pair_point(const idv_cbor_t *x, const idv_cbor_t *y,
                               idv_curve_t curve, idv_bytes_t *point,
                               apr_pool_t *pool)
{
    apr_size_t size = idv_curve_size(curve);
    unsigned char *bytes = apr_pcalloc(pool, IDV_POINT_MAX);
    int is_odd = idv_cbor_is_simple(y, IDV_CBOR_TRUE);

    memcpy(bytes + 1, x->content.data, size);
    point->data = bytes;
    if (is_odd || idv_cbor_is_simple(y, IDV_CBOR_FALSE)) {
        bytes[0] = is_odd ? 3 : 2;
        point->length = 1 + size;
        return NULL;
    }
    if (!idv_cbor_is(y, IDV_CBOR_BYTES) || y->content.length != size)
        return fault("a key has no second coordinate", pool);
    bytes[0] = 4;
    memcpy(bytes + 1 + size, y->content.data, size);
    point->length = 1 + 2 * size;
    return NULL;
}

idv_error_t *idv_cose_key(const idv_cbor_t *map, EVP_PKEY **key,
                          apr_pool_t *pool)
{
    const idv_cbor_t *x = idv_cbor_member_number(map, KEY_X);
    apr_int64_t type = 0, number = 0;
    idv_curve_t curve;
    idv_bytes_t point;

    *key = NULL;
    if (!idv_cbor_integer(idv_cbor_member_number(map, KEY_TYPE), &type)
        || !idv_cbor_integer(idv_cbor_member_number(map, KEY_CURVE), &number))
        return fault("a key is incomplete", pool);
    if (idv_cbor_member_number(map, KEY_PRIVATE))
        return fault("a key is private", pool);
    curve = idv_curve_find(number);
    if (curve == IDV_CURVE_NONE
        || type
               != (idv_curve_has_pairs(curve) ? KEY_TYPE_EC2 : KEY_TYPE_OKP))
        return fault("the curve of a key is unknown", pool);
    if (!idv_cbor_is(x, IDV_CBOR_BYTES)
        || x->content.length != idv_curve_size(curve))
        return fault("a key has no coordinate", pool);
    point = x->content;
    if (type == KEY_TYPE_EC2)
        IDV_TRY(pair_point(x, idv_cbor_member_number(map, KEY_Y), curve, &point,
                           pool));
    return idv_elliptic_public_key(curve, point, key, pool);
}

/* --- verifying --- */

/* The bytes that are signed or authenticated: RFC 9052, 4.4 and 6.3. */
static idv_bytes_t covered(const char *context,
                           const idv_cose_message_t *message,
                           idv_bytes_t payload, apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 4);
    idv_cbor_put_text(&writer, context);
    idv_cbor_put_bytes(&writer, message->protected_bytes);
    idv_cbor_put_bytes(&writer, (idv_bytes_t){ NULL, 0 });
    idv_cbor_put_bytes(&writer, payload);
    return idv_cbor_written(&writer);
}

/* Converts r and s, each as wide as the curve requires, to the DER that OpenSSL
 * reads; an empty string for any other length. */
static idv_bytes_t der_signature(idv_bytes_t raw, apr_size_t size,
                                 apr_pool_t *pool)
{
    ECDSA_SIG *pair = ECDSA_SIG_new();
    unsigned char *der = apr_palloc(pool, 2 * size + 16), *end = der;
    BIGNUM *r, *s;
    int length = 0;

    if (raw.length == 2 * size && pair) {
        r = BN_bin2bn(raw.data, (int)size, NULL);
        s = BN_bin2bn(raw.data + size, (int)size, NULL);
        if (r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
            length = i2d_ECDSA_SIG(pair, &end);
        } else {
            BN_free(r);
            BN_free(s);
        }
    }
    ECDSA_SIG_free(pair);
    return (idv_bytes_t){ der, length > 0 ? (apr_size_t)length : 0 };
}

static int fits(EVP_PKEY *key, const char *digest, idv_bytes_t signature,
                idv_bytes_t text)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int is_valid =
        context
        && EVP_DigestVerifyInit_ex(context, NULL, digest, NULL, NULL, key, NULL)
               == 1
        && EVP_DigestVerify(context, signature.data, signature.length,
                            text.data, text.length)
               == 1;

    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_valid;
}

idv_cose_verdict_t idv_cose_verify_signature(const idv_cose_message_t *message,
                                             idv_bytes_t payload, EVP_PKEY *key,
                                             apr_pool_t *pool)
{
    const algorithm_t *algorithm = find_algorithm(message->algorithm);
    idv_curve_t curve = idv_curve_of(key);
    idv_bytes_t signature = message->signature;

    if (!algorithm)
        return IDV_COSE_ALGORITHM_NOT_ALLOWED;
    if (curve == IDV_CURVE_NONE || !(algorithm->curves >> curve & 1))
        return IDV_COSE_KEY_UNSUITABLE;
    if (idv_curve_has_pairs(curve))
        signature = der_signature(signature, idv_curve_size(curve), pool);
    if (!signature.length)
        return IDV_COSE_WRONG;
    return fits(key, algorithm->digest, signature,
                covered("Signature1", message, payload, pool))
               ? IDV_COSE_VALID
               : IDV_COSE_WRONG;
}

idv_cose_verdict_t idv_cose_verify_mac(const idv_cose_message_t *message,
                                       idv_bytes_t payload, idv_bytes_t key,
                                       apr_pool_t *pool)
{
    idv_bytes_t text = covered("MAC0", message, payload, pool);
    unsigned char tag[IDV_DIGEST_SIZE];

    if (message->algorithm != IDV_COSE_HMAC_256)
        return IDV_COSE_ALGORITHM_NOT_ALLOWED;
    if (message->signature.length != sizeof(tag))
        return IDV_COSE_WRONG;
    idv_hmac_sha256(key, text.data, text.length, tag);
    return idv_equal_constant_time(tag, message->signature.data, sizeof(tag))
               ? IDV_COSE_VALID
               : IDV_COSE_WRONG;
}
