/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What wallets are asked: no more than what decides, in the form of each
 * protocol. What the forms look like to wallets is tested in t/wallet.
 */
#include "unit/mdl_fixture.h"

#include <apr_strings.h>

#include <openssl/ecdsa.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "core/json.h"
#include "methods/mdl/reader_key.h"
#include "methods/mdl/response_encryption.h"
#include "methods/mdl/wallet_request.h"

/* The elements of query INDEX of what NEED asks over CHANNEL, joined by blanks,
 * optional ones with a question mark. */
static const char *asked(idv_mdl_need_t need, idv_mdl_channel_t channel,
                         int index, apr_pool_t *pool)
{
    idv_mdl_request_t request = {.channel = channel};
    const char *text = "";

    idv_mdl_query(&need, &request, pool);
    if (index >= request.query_count)
        return NULL;
    for (int i = 0; i < request.queries[index].element_count; i++) {
        const idv_mdl_element_t *element = &request.queries[index].elements[i];

        text = apr_pstrcat(pool, text, *text ? " " : "", element->element,
                           element->is_optional ? "?" : "", NULL);
    }
    return text;
}

static void asks_for_what_decides(void **state)
{
    static const struct {
        idv_mdl_need_t need;
        idv_mdl_channel_t channel;
        const char *document, *attestation;
    } cases[] = {
        {{1, 21, "US-CA", 0, 0}, IDV_MDL_DC_API, "age_over_21? birth_date?", NULL},
        {{1, 21, "US-CA", 0, 1}, IDV_MDL_DC_API, "age_over_21", NULL},
        {{1, 18, "US", 0, 0}, IDV_MDL_REDIRECT,
         "age_over_18? age_over_21? birth_date?", NULL},
        {{1, 18, "US", 0, 1}, IDV_MDL_REDIRECT, "age_over_18? age_over_21?",
         NULL},
        {{1, 18, "DE", 0, 0}, IDV_MDL_REDIRECT,
         "age_over_18? age_over_21? birth_date?", "age_over_18"},
        {{1, 18, "NO", 0, 0}, IDV_MDL_ISO_DC_API, "age_over_18", "age_over_18"},
        {{1, 18, "GB", 0, 0}, IDV_MDL_REDIRECT,
         "age_over_18? age_over_21? birth_date?", NULL},
        {{1, 21, "DE", 0, 0}, IDV_MDL_REDIRECT, "age_over_21? birth_date?", NULL},
        {{1, 16, "DE", 0, 0}, IDV_MDL_REDIRECT,
         "age_over_16? age_over_18? age_over_21? birth_date?", "age_over_18"},
        {{1, 16, "US", 0, 0}, IDV_MDL_ISO_DC_API, "age_over_16", NULL},
        {{1, 25, "US", 0, 0}, IDV_MDL_DC_API, "age_over_25? birth_date?", NULL},
        {{1, 25, "US", 0, 1}, IDV_MDL_DC_API, "age_over_25", NULL},
        {{1, 0, NULL, 0, 0}, IDV_MDL_DC_API, "age_over_18? age_over_21? birth_date?",
         NULL},
        {{1, 18, "DE", 1, 0}, IDV_MDL_DC_API,
         "age_over_18? age_over_21? birth_date? portrait", NULL},
        {{0, 18, "DE", 0, 0}, IDV_MDL_DC_API,
         "family_name given_name birth_date document_number issuing_country "
         "issuing_authority",
         NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *second;

        assert_string_equal(
            asked(cases[i].need, cases[i].channel, 0, *state),
            cases[i].document);
        second = asked(cases[i].need, cases[i].channel, 1, *state);
        assert_int_equal(!second, !cases[i].attestation);
        if (second)
            assert_string_equal(second, cases[i].attestation);
    }
}

static void keeps_keys_apart(void **state)
{
    idv_wallet_draft_t draft = {.channel = IDV_MDL_ISO_DC_API,
                                .origin = "https://verify.example.com",
                                .need = {1, 18, "US", 0, 0}};
    idv_mdl_request_t *first, *second;

    memset(draft.key, 1, sizeof(draft.key));
    memset(draft.nonce, 2, sizeof(draft.nonce));
    assert_null(idv_wallet_request_create(&draft, &first, *state));
    memset(draft.key, 3, sizeof(draft.key));
    assert_null(idv_wallet_request_create(&draft, &second, *state));
    assert_string_not_equal(first->parts.encryption_info,
                            second->parts.encryption_info);
    assert_null(first->parts.nonce);
    assert_int_equal(first->accepted, IDV_HANDOVER_BIT(ISO_18013_7_C));
    memset(draft.key, 0, sizeof(draft.key));
    assert_non_null(idv_wallet_request_create(&draft, &first, *state));
}

static void leaves_a_request_unsigned(void **state)
{
    idv_wallet_draft_t draft = {.channel = IDV_MDL_ISO_DC_API,
                                .origin = "https://verify.example.com",
                                .need = {1, 18, "DE", 0, 0}};
    idv_cbor_budget_t budget = IDV_CBOR_BUDGET;
    const idv_cbor_t *root, *list;
    idv_mdl_request_t *request;
    const char *text;
    idv_bytes_t bytes;

    memset(draft.key, 1, sizeof(draft.key));
    assert_null(idv_wallet_request_create(&draft, &request, *state));
    assert_null(idv_wallet_device_request(request, NULL, &text, *state));
    assert_null(idv_base64url_decode(text, strlen(text), &bytes, *state));
    assert_null(idv_cbor_read(bytes, &budget, &root, *state));
    list = idv_cbor_member(root, "docRequests");
    assert_int_equal(list->count, 2);
    assert_null(idv_cbor_member(list->first, "readerAuth"));
    assert_null(idv_cbor_member(list->first->next, "readerAuth"));
}

/* OpenID4VP 1.0, A.2: no client id and no origins, which the browser names. */
static void asks_unsigned_without_an_identity(void **state)
{
    static const char *const members[] = {"response_type", "response_mode",
                                          "nonce", "dcql_query",
                                          "client_metadata"};
    idv_wallet_draft_t draft = {.channel = IDV_MDL_DC_API,
                                .origin = "https://verify.example.com",
                                .key_id = "response",
                                .need = {1, 18, "US", 0, 0}};
    idv_json_writer_t writer;
    idv_mdl_request_t *request;
    const char *text;
    apr_size_t length;
    json_t *written;

    memset(draft.key, 1, sizeof(draft.key));
    assert_null(idv_wallet_request_create(&draft, &request, *state));
    assert_null(request->parts.client_id);
    assert_int_equal(request->accepted, IDV_HANDOVER_BIT(DC_API_1_0));
    idv_json_writer_init(&writer, 1024, *state);
    idv_json_open_object(&writer, NULL);
    assert_null(idv_wallet_request_unsigned(request, &writer));
    idv_json_close_object(&writer);
    text = idv_json_writer_text(&writer, &length);
    assert_null(idv_json_parse(text, length, &written, *state));
    assert_int_equal(json_object_size(written),
                     sizeof(members) / sizeof(*members));
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        assert_non_null(json_object_get(written, members[i]));
    assert_string_equal(
        json_string_value(json_object_get(written, "response_mode")),
        "dc_api.jwt");
    draft.channel = IDV_MDL_REDIRECT;
    assert_non_null(idv_wallet_request_create(&draft, &request, *state));
}

/* ES256 on P-256, PS256 with RSA, each checked by OpenSSL with its public key. */
static void signs_with_keys_of_both_types(void **state)
{
    static const int algorithms[] = {[IDV_READER_KEY_P256] = -7,
                                     [IDV_READER_KEY_RSA] = -37};
    const idv_bytes_t message = {(const unsigned char *)"message", 7};

    for (int type = 0; type < IDV_READER_KEY_TYPE_COUNT; type++) {
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        idv_bytes_t pem, signature;
        EVP_PKEY_CTX *parameters;
        EVP_PKEY *key;
        BIO *bio;
        int algorithm;

        assert_null(idv_reader_key_create(type, &pem, *state));
        assert_null(idv_reader_algorithm(pem, &algorithm, *state));
        assert_int_equal(algorithm, algorithms[type]);
        assert_null(idv_reader_sign(pem, message, &signature, *state));
        bio = BIO_new_mem_buf(pem.data, (int)pem.length);
        key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
        BIO_free(bio);
        assert_int_equal(signature.length,
                         type == IDV_READER_KEY_RSA ? 384 : 64);
        assert_int_equal(EVP_DigestVerifyInit(context, &parameters,
                                              EVP_sha256(), NULL, key),
                         1);
        if (type == IDV_READER_KEY_RSA) {
            EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING);
            EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters,
                                             RSA_PSS_SALTLEN_DIGEST);
            assert_int_equal(EVP_DigestVerify(context, signature.data,
                                              signature.length, message.data,
                                              message.length),
                             1);
        } else {
            ECDSA_SIG *pair = ECDSA_SIG_new();
            unsigned char *der = NULL;
            int length;

            assert_int_equal(
                ECDSA_SIG_set0(pair, BN_bin2bn(signature.data, 32, NULL),
                               BN_bin2bn(signature.data + 32, 32, NULL)),
                1);
            length = i2d_ECDSA_SIG(pair, &der);
            assert_int_equal(EVP_DigestVerify(context, der, (size_t)length,
                                              message.data, message.length),
                             1);
            OPENSSL_free(der);
            ECDSA_SIG_free(pair);
        }
        EVP_MD_CTX_free(context);
        EVP_PKEY_free(key);
    }
}

static void refuses_what_is_no_key(void **state)
{
    static const char *const texts[] = {"", "x",
                                        ("-----BEGIN PRIVATE KEY-----\nAA==\n"
                                         "-----END PRIVATE KEY-----\n")};
    EVP_PKEY *key;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_non_null(idv_p256_read_pem(
            (idv_bytes_t){(const unsigned char *)texts[i], strlen(texts[i])},
            &key, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(asks_for_what_decides),
        pooled_test(keeps_keys_apart),
        pooled_test(leaves_a_request_unsigned),
        pooled_test(asks_unsigned_without_an_identity),
        pooled_test(signs_with_keys_of_both_types),
        pooled_test(refuses_what_is_no_key),
    };

    return unit_run("mdl_wallet_request", tests);
}
