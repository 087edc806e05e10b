/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/lote.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>

#include "core/json.h"
#include "methods/mdl/elliptic_key.h"
#include "methods/mdl/response_encryption.h"
#include "methods/trust/etsi_service.h"

#define CHAIN_MAX 8

static idv_error_t *refuse(const char *why, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "The list of trusted entities %s.",
                           why);
}

/* What every header in base64url begins with: {" */
static const char beginning[] = "eyJ";

int idv_lote_is(idv_bytes_t file)
{
    return file.length > sizeof(beginning)
        && memcmp(file.data, beginning, sizeof(beginning) - 1) == 0;
}

/* --- the signature --- */

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

static const algorithm_t *find_algorithm(const char *name)
{
    for (size_t i = 0; name && i < sizeof(algorithms) / sizeof(*algorithms);
         i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}

/* The parts of a compact JWS. */
typedef struct {
    idv_bytes_t signed_text; /* header and payload, as they came */
    idv_bytes_t header, payload, signature;
} jws_t;

static idv_error_t *take_apart(idv_bytes_t file, jws_t *jws, apr_pool_t *pool)
{
    const char *text = (const char *)file.data, *end = text + file.length;
    const char *first, *second;

    while (end > text && strchr(" \r\n", end[-1]) && end[-1])
        end--;
    first = memchr(text, '.', (size_t)(end - text));
    second = first ? memchr(first + 1, '.', (size_t)(end - first - 1)) : NULL;
    if (!second)
        return refuse("is no JSON Web Signature", pool);
    jws->signed_text = (idv_bytes_t){file.data, (apr_size_t)(second - text)};
    if (idv_base64url_decode(text, (apr_size_t)(first - text), &jws->header,
                             pool)
        || idv_base64url_decode(first + 1, (apr_size_t)(second - first - 1),
                                &jws->payload, pool)
        || idv_base64url_decode(second + 1, (apr_size_t)(end - second - 1),
                                &jws->signature, pool))
        return refuse("is no JSON Web Signature", pool);
    return NULL;
}

/* r and s, each as wide as the curve (RFC 7518, 3.4), as DER. */
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

static int is_signed_by(const jws_t *jws, const algorithm_t *algorithm,
                        EVP_PKEY *key, apr_pool_t *pool)
{
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

static int read_chain(const json_t *header, idv_bytes_t chain[CHAIN_MAX],
                      apr_pool_t *pool)
{
    const json_t *list = json_object_get(header, "x5c");
    int count = 0;

    while (count < CHAIN_MAX && (size_t)count < json_array_size(list)) {
        const char *text =
            json_string_value(json_array_get(list, (size_t)count));

        chain[count++] =
            idv_trust_base64(text ? text : "", IDV_X509_MAX, pool);
    }
    return count;
}

static idv_error_t *check_signature(const jws_t *jws,
                                    const apr_array_header_t *signers,
                                    idv_time_t now,
                                    idv_trust_content_t *content,
                                    apr_pool_t *pool)
{
    idv_bytes_t chain[CHAIN_MAX];
    idv_trust_signer_t signer = {
        .chain = chain, .purpose = IDV_ETSI_SIGNER_PURPOSE, .now = now};
    const algorithm_t *algorithm;
    json_t *header;
    EVP_PKEY *key;

    IDV_TRY(idv_json_parse((const char *)jws->header.data, jws->header.length,
                           &header, pool));
    algorithm =
        find_algorithm(json_string_value(json_object_get(header, "alg")));
    if (!algorithm || json_object_get(header, "crit")
        || json_object_get(header, "b64"))
        return refuse("is signed in a way that is not known", pool);
    signer.count = read_chain(header, chain, pool);
    IDV_TRY(idv_trust_signer_key(&signer, signers, &key, &content->signer,
                                 pool));
    return is_signed_by(jws, algorithm, key, pool)
             ? NULL
             : refuse("has a signature that is not right", pool);
}

/* --- the content --- */

static const char *text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static idv_error_t *read_scheme(const json_t *scheme,
                                idv_trust_content_t *content, apr_pool_t *pool)
{
    const json_t *names = json_object_get(scheme, "SchemeOperatorName");
    const char *name = text_at(json_array_get(names, 0), "value");
    const char *issued = text_at(scheme, "ListIssueDateTime");
    const char *next = text_at(scheme, "NextUpdate");

    content->sequence =
        json_integer_value(json_object_get(scheme, "LoTESequenceNumber"));
    if (name)
        content->name = idv_trust_name(name, pool);
    if (content->sequence <= 0 || !issued
        || !idv_trust_time(issued, &content->issued, pool)
        || (next && !idv_trust_time(next, &content->next_update, pool)))
        return refuse("has no number or no times", pool);
    return NULL;
}

static idv_error_t *read_service(const json_t *information,
                                 idv_trust_content_t *content, apr_pool_t *pool)
{
    const idv_etsi_service_t service = {
        .type = text_at(information, "ServiceTypeIdentifier"),
        .status = text_at(information, "ServiceStatus")};
    const char *const *doc_types = idv_etsi_service_doc_types(&service);
    const json_t *list = json_object_get(
        json_object_get(information, "ServiceDigitalIdentity"),
        "X509Certificates");
    const json_t *item;
    size_t i;

    if (!doc_types) {
        content->passed_over++;
        return NULL;
    }
    json_array_foreach (list, i, item) {
        const char *text = text_at(item, "val");

        IDV_TRY(idv_etsi_service_add(content, text ? text : "", doc_types,
                                     pool));
    }
    return NULL;
}

static idv_error_t *read_entities(const json_t *entities,
                                  idv_trust_content_t *content,
                                  apr_pool_t *pool)
{
    const json_t *entity, *service;
    size_t i, j;

    json_array_foreach (entities, i, entity) {
        const json_t *services =
            json_object_get(entity, "TrustedEntityServices");

        json_array_foreach (services, j, service)
            IDV_TRY(read_service(json_object_get(service, "ServiceInformation"),
                                 content, pool));
    }
    return content->certificates->nelts
             ? NULL
             : refuse("holds no service that issues documents", pool);
}

idv_error_t *idv_lote_read(idv_bytes_t file, const apr_array_header_t *signers,
                           idv_time_t now, idv_trust_content_t **content,
                           apr_pool_t *pool)
{
    json_t *payload, *list;
    jws_t jws;

    *content = idv_trust_content_create(IDV_TRUST_ETSI, pool);
    IDV_TRY(take_apart(file, &jws, pool));
    IDV_TRY(check_signature(&jws, signers, now, *content, pool));
    IDV_TRY(idv_json_parse((const char *)jws.payload.data, jws.payload.length,
                           &payload, pool));
    /* Some publishers leave the outer object away. */
    list = json_object_get(payload, "LoTE");
    if (!list)
        list = payload;
    IDV_TRY(read_scheme(json_object_get(list, "ListAndSchemeInformation"),
                        *content, pool));
    return read_entities(json_object_get(list, "TrustedEntitiesList"), *content,
                         pool);
}
