/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of trusted entities in JSON (ETSI TS 119 602). */
#include "unit/trust_publisher.h"

#include "methods/trust/etsi_service.h"
#include "methods/trust/lote.h"

#define LICENCES "http://trust.ec.europa.eu/lists/mDL/SvcType/Issuance"

static const char *base64url(const void *bytes, apr_size_t length,
                             apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes, (apr_ssize_t)length,
                                     APR_ENCODE_BASE64URL, NULL);
}

static const char *base64(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes.data,
                                     (apr_ssize_t)bytes.length,
                                     APR_ENCODE_NONE, NULL);
}

/* A list with one service of TYPE, and with STATUS (JSON, behind a comma). */
static const char *payload_of(const char *type, const char *status,
                              apr_pool_t *pool)
{
    return apr_psprintf(
        pool,
        "{\"LoTE\":{\"ListAndSchemeInformation\":{\"LoTESequenceNumber\":3,"
        "\"SchemeOperatorName\":[{\"lang\":\"en\",\"value\":\"Commission\"}],"
        "\"ListIssueDateTime\":\"2026-05-30T10:00:00.123Z\","
        "\"NextUpdate\":\"2026-11-30T10:00:00Z\"},\"TrustedEntitiesList\":[{"
        "\"TrustedEntityServices\":[{\"ServiceInformation\":{"
        "\"ServiceTypeIdentifier\":\"%s\"%s,\"ServiceDigitalIdentity\":{"
        "\"X509Certificates\":[{\"val\":\"%s\"}]}}}]}]}}",
        type, status, base64(new_authority(pool), pool));
}

static idv_bytes_t sign(const char *payload, const publisher_t *publisher,
                        const char *more, apr_pool_t *pool)
{
    const char *header = apr_psprintf(
        pool, "{\"alg\":\"ES256\",\"x5c\":[\"%s\"]%s}",
        base64(publisher->signer, pool), more);
    const char *text = apr_pstrcat(
        pool, base64url(header, strlen(header), pool), ".",
        base64url(payload, strlen(payload), pool), NULL);
    idv_bytes_t signature = sign_raw(
        publisher->key,
        (idv_bytes_t){(const unsigned char *)text, strlen(text)}, pool);

    text = apr_pstrcat(pool, text, ".",
                       base64url(signature.data, signature.length, pool), "\n",
                       NULL);
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

static publisher_t good_publisher(apr_pool_t *pool)
{
    certificate_t wish = good_signer;

    wish.purposes = IDV_ETSI_SIGNER_PURPOSE;
    return new_publisher(&wish, pool);
}

static idv_error_t *read_list(idv_bytes_t file, const publisher_t *publisher,
                              idv_trust_content_t **content, apr_pool_t *pool)
{
    assert_true(idv_lote_is(file));
    return idv_lote_read(file, publisher->knows_root, ISSUER_NOW, content,
                         pool);
}

static void a_list_is_read(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    idv_trust_content_t *content;

    accepts(read_list(sign(payload_of(LICENCES, "", *state), &publisher, "",
                           *state),
                      &publisher, &content, *state));
    assert_string_equal(content->name, "Commission");
    assert_int_equal(content->sequence, 3);
    assert_int_equal(content->issued, (idv_time_t)1780135200 * IDV_SECOND);
    assert_int_equal(content->certificates->nelts, 1);
    assert_string_equal(
        APR_ARRAY_IDX(content->certificates, 0, idv_trust_certificate_t)
            .doc_types[0],
        "org.iso.18013.5.1.mDL");
}

static void others_are_not_believed(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const publisher_t other = good_publisher(*state);
    publisher_t forger = publisher;
    const char *payload = payload_of(LICENCES, "", *state);
    idv_bytes_t file = sign(payload, &publisher, "", *state);
    idv_trust_content_t *content;

    forger.key = other.key;
    refuses(read_list(file, &other, &content, *state),
            "not signed under a certificate");
    refuses(read_list(sign(payload, &forger, "", *state), &publisher, &content,
                      *state),
            "wrong signature");
    /* Another payload under the same signature. */
    ((unsigned char *)file.data)[strcspn((const char *)file.data, ".") + 40] ^=
        1;
    refuses(read_list(file, &publisher, &content, *state), "");
    refuses(read_list(sign(payload, &publisher, ",\"crit\":[\"b64\"]", *state),
                      &publisher, &content, *state),
            "unknown way");
    refuses(read_list(sign(payload, &publisher, ",\"b64\":false", *state),
                      &publisher, &content, *state),
            "unknown way");
    refuses(read_list(BYTES("eyJhbGciOiJub25lIn0.e30."), &publisher, &content,
                      *state),
            "unknown way");
    refuses(read_list(BYTES("eyJhbGciOiJub25lIn0.e30"), &publisher, &content,
                      *state),
            "not a JSON Web Signature");
}

static void services_of_no_use_are_passed_over(void **state)
{
    static const char *const cases[][2] = {
        {"http://uri.etsi.org/19602/SvcType/WalletSolution/Issuance", ""},
        {"http://uri.etsi.org/19602/SvcType/mDL/Issuance/", ""},
        {LICENCES, ",\"ServiceStatus\":\"urn:status/withdrawn\""},
        {LICENCES, ",\"ServiceStatus\":\"\""},
    };
    const publisher_t publisher = good_publisher(*state);
    idv_trust_content_t *content;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        refuses(read_list(sign(payload_of(cases[i][0], cases[i][1], *state),
                               &publisher, "", *state),
                          &publisher, &content, *state),
                "no service");
    accepts(read_list(sign(payload_of(LICENCES,
                                      ",\"ServiceStatus\":\"urn:x/notified\"",
                                      *state),
                           &publisher, "", *state),
                      &publisher, &content, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_list_is_read),
        pooled_test(others_are_not_believed),
        pooled_test(services_of_no_use_are_passed_over),
    };

    return unit_run("trust_lote", tests);
}
