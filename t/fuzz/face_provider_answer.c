/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a provider answers: any bytes, and any bytes that it has signed.
 */
#include "fuzz/fuzz.h"

#include <apr_encode.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>

#include "methods/face/provider_answer.h"

#define EVIDENCE                                                               \
    "0000000000000000000000000000000000000000000000000000000000000000"

static const idv_provider_question_t question = {
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "lvc_1", EVIDENCE};

static const char *encode(const void *bytes, apr_size_t length,
                          apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes, (apr_ssize_t)length,
                                     APR_ENCODE_BASE64URL, NULL);
}

static idv_bytes_t sign(EVP_PKEY *key, const uint8_t *data, size_t size,
                        apr_pool_t *pool)
{
    const char *payload = size ? encode(data, size, pool) : "";
    const char *text =
        apr_pstrcat(pool, "eyJhbGciOiJFUzI1NiJ9.", payload, NULL);
    unsigned char der[160], raw[64];
    const unsigned char *at = der;
    size_t length = sizeof(der);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ECDSA_SIG *pair;

    promise(EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1);
    promise(EVP_DigestSign(context, der, &length, (const void *)text,
                           strlen(text))
            == 1);
    EVP_MD_CTX_free(context);
    pair = d2i_ECDSA_SIG(NULL, &at, (long)length);
    promise(pair != NULL);
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), raw, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), raw + 32, 32);
    ECDSA_SIG_free(pair);
    text = apr_pstrcat(pool, text, ".", encode(raw, sizeof(raw), pool), NULL);
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static EVP_PKEY *key;
    apr_pool_t *pool = fuzz_pool();
    idv_provider_answer_t answer;

    if (!key)
        key = EVP_EC_gen("P-256");
    idv_provider_answer_read((idv_bytes_t){data, size}, &question, key,
                             1000 * IDV_SECOND, &answer, pool);
    promise(answer.fault && answer.result == IDV_CHECK_UNDETERMINED);
    idv_provider_answer_read(sign(key, data, size, pool), &question, key,
                             1000 * IDV_SECOND, &answer, pool);
    promise(!answer.fault || answer.result == IDV_CHECK_UNDETERMINED);
    promise(answer.fault || (answer.name && answer.version));
    apr_pool_destroy(pool);
    return 0;
}
