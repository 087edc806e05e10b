/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of other people's wallets and of the standards' examples: they verify
 * as they are, and no byte of them may change. */
#include "unit/mdl_fixture.h"

#include <openssl/bio.h>
#include <openssl/pem.h>

#include "methods/mdl/elliptic_key.h"
#include "methods/mdl/mdl_verification.h"

#define MDL IDV_MDL_NAME_SPACE
#define R(name) IDV_MDL_REASON_##name

static idv_bytes_t der_of(const char *name, apr_pool_t *pool)
{
    idv_bytes_t text = vector(name, pool), der = { NULL, 0 };
    BIO *bio = BIO_new_mem_buf(text.data, (int)text.length);
    unsigned char *bytes = NULL;
    X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);

    assert_non_null(certificate);
    der.length = (apr_size_t)i2d_X509(certificate, &bytes);
    der.data = apr_pmemdup(pool, bytes, der.length);
    OPENSSL_free(bytes);
    X509_free(certificate);
    BIO_free(bio);
    return der;
}

static idv_time_t noon_of(const json_t *parameters, apr_pool_t *pool)
{
    idv_date_t date;

    assert_null(idv_date_parse(json_text(parameters, "now"), &date, pool));
    return idv_date_days(date) * IDV_DAY + 12 * IDV_HOUR;
}

/* What the two documents of ISO/IEC 18013-5, annex D, have. */
static const idv_mdl_element_t annex_d_elements[] = {
    { MDL, "family_name", 0 },     { MDL, "issue_date", 0 },
    { MDL, "expiry_date", 0 },     { MDL, "document_number", 0 },
    { MDL, "portrait", 0 },        { MDL, "driving_privileges", 0 },
};
static const idv_mdl_query_t annex_d_query = { "mdl", IDV_MDL_DOC_TYPE,
                                               annex_d_elements, 6 };

static const idv_mdl_element_t pid_elements[] = {
    { "eu.europa.ec.eudi.pid.1", "family_name", 0 },
    { "eu.europa.ec.eudi.pid.1", "given_name", 0 },
};
static const idv_mdl_query_t pid_query = { "pid", "eu.europa.ec.eudi.pid.1",
                                           pid_elements, 2 };

typedef struct {
    idv_mdl_request_t request;
    idv_trust_anchor_t anchor;
    idv_bytes_t response;
} scene_t;

static scene_t *annex_d(apr_pool_t *pool)
{
    json_t *parameters = vector_json("iso-18013-5-annex-d/params.json", pool);
    scene_t *scene = apr_pcalloc(pool, sizeof(*scene));

    scene->response = vector("iso-18013-5-annex-d/deviceResponse.cbor", pool);
    scene->anchor = (idv_trust_anchor_t){
        .certificate = der_of("iso-18013-5-annex-d/ds.pem", pool),
        .is_signer = 1,
        .list = "annex D",
    };
    scene->request = (idv_mdl_request_t){
        .channel = IDV_MDL_PROXIMITY,
        .accepted = IDV_HANDOVER_BIT(PROXIMITY),
        .parts = { .transcript = from_hex(
                       json_text(parameters, "sessionTranscriptHex"), pool) },
        .reader_key =
            from_hex(json_text(parameters, "ephemeral_reader_key_d"), pool),
        .queries = &annex_d_query,
        .query_count = 1,
        .trust = { &scene->anchor, 1, noon_of(parameters, pool) },
    };
    return scene;
}

static scene_t *redirect(const char *folder, unsigned accepted,
                         const idv_mdl_query_t *query, apr_pool_t *pool)
{
    json_t *parameters = vector_json(
        apr_pstrcat(pool, folder, "/params.json", NULL), pool);
    const char *thumbprint = json_string_value(
        json_object_get(parameters, "jwkThumbprintHex"));
    scene_t *scene = apr_pcalloc(pool, sizeof(*scene));

    /* What was recorded is what the encryption hid. */
    scene->response =
        vector(apr_pstrcat(pool, folder, "/deviceResponse.cbor", NULL), pool);
    scene->request = (idv_mdl_request_t){
        .channel = IDV_MDL_PROXIMITY,
        .accepted = accepted,
        .parts = { .client_id = json_text(parameters, "clientId"),
                   .nonce = json_text(parameters, "nonce"),
                   .response_uri = json_text(parameters, "responseUri"),
                   .wallet_nonce = json_string_value(json_object_get(
                       parameters, "mdocGeneratedNonce")) },
        .queries = query,
        .query_count = 1,
        .trust = { &scene->anchor, 1, noon_of(parameters, pool) },
    };
    if (thumbprint)
        scene->request.parts.thumbprint = from_hex(thumbprint, pool);
    return scene;
}

static scene_t *draft_18(apr_pool_t *pool)
{
    scene_t *scene = redirect("draft18-wallet",
                              IDV_HANDOVER_BIT(OID4VP_DRAFT_18), &annex_d_query,
                              pool);

    scene->anchor = (idv_trust_anchor_t){
        .certificate = der_of("draft18-wallet/issuerCertificate.pem", pool),
        .is_signer = 1,
    };
    return scene;
}

static scene_t *oid4vp_1_0(apr_pool_t *pool)
{
    scene_t *scene = redirect("oid4vp-1.0-wallet", IDV_HANDOVER_BIT(OID4VP_1_0),
                              &pid_query, pool);

    scene->anchor = (idv_trust_anchor_t){
        .certificate = der_of("oid4vp-1.0-wallet/rootCertificate.pem", pool),
    };
    return scene;
}

static idv_mdl_findings_t *verify(const scene_t *scene, apr_pool_t *pool)
{
    idv_mdl_findings_t *findings, *back;
    const char *text;
    apr_size_t length;

    assert_null(
        idv_mdl_verify(&scene->request, scene->response, &findings, pool));
    assert_null(idv_mdl_findings_write(findings, &text, &length, pool));
    if (idv_mdl_findings_read(text, length, &back, pool))
        fail_msg("does not read back: %s", text);
    return findings;
}

static void expect_all_passed(const idv_mdl_findings_t *findings)
{
    for (int i = 0; i < findings->checks->nelts; i++) {
        const idv_mdl_check_t *check =
            &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);

        if (check->reason != R(NONE))
            fail_msg("%s: %s", idv_mdl_check_code(check->name),
                     idv_mdl_reason_code(check->reason));
    }
    assert_int_equal(findings->checks->nelts, IDV_MDL_CHECK_ISSUER_REVOCATION);
}

static void expect_reason(const idv_mdl_findings_t *findings,
                          idv_mdl_reason_t reason)
{
    const idv_mdl_check_t *check =
        idv_mdl_find_check(findings, idv_mdl_reason_check(reason));

    assert_non_null(check);
    assert_string_equal(idv_mdl_reason_code(check->reason),
                        idv_mdl_reason_code(reason));
    assert_null(findings->person.family_name);
}

static void annex_d_verifies_by_its_mac(void **state)
{
    idv_mdl_findings_t *findings = verify(annex_d(*state), *state);

    expect_all_passed(findings);
    assert_true(findings->has_device_mac);
    assert_string_equal(findings->device_algorithm, "HMAC 256/256");
    assert_string_equal(findings->issuer_algorithm, "ES256");
    assert_string_equal(findings->person.family_name, "Doe");
    assert_string_equal(findings->person.document_number, "123456789");
    assert_int_equal(findings->person.expiry_date.year, 2024);
    assert_int_equal(findings->person.portrait.length, 1042);
    assert_string_equal(findings->issuer_country, "US");
    assert_string_equal(findings->anchor_list, "annex D");
    assert_int_equal(findings->crl_addresses->nelts, 0);
}

#define MONTANA "../shared/cases/wallets/m_mt_mdoc_age_over_18.json"

/* The answer of a state's wallet whose signer's purpose is not critical, with the
 * signer pinned, since its authority is not at hand; NULL: the answer is not either. */
static scene_t *montana(apr_pool_t *pool)
{
    static const idv_mdl_element_t elements[] = {{MDL, "age_over_18", 0}};
    static const idv_mdl_query_t query = {"mdl", IDV_MDL_DOC_TYPE, elements, 1};
    json_t *answer = idv_json_own(json_load_file(MONTANA, 0, NULL), pool);
    scene_t *scene = apr_pcalloc(pool, sizeof(*scene));

    if (!answer)
        return NULL;
    scene->response = from_hex(json_text(answer, "mdoc"), pool);
    scene->anchor = (idv_trust_anchor_t){
        .certificate = from_hex(json_text(answer, "cert"), pool),
        .is_signer = 1,
        .list = "pinned",
    };
    scene->request = (idv_mdl_request_t){
        .channel = IDV_MDL_PROXIMITY,
        .accepted = IDV_HANDOVER_BIT(PROXIMITY),
        .parts = {.transcript =
                      from_hex(json_text(answer, "transcript"), pool)},
        .queries = &query,
        .query_count = 1,
        .trust = {&scene->anchor, 1,
                  idv_date_days((idv_date_t){2026, 1, 9}) * IDV_DAY},
    };
    return scene;
}

static void the_wallet_of_a_state_verifies(void **state)
{
    scene_t *scene = montana(*state);
    idv_mdl_findings_t *findings;

    if (!scene) {
        print_message("skipped: no " MONTANA "\n");
        skip();
    }
    findings = verify(scene, *state);
    assert_true(idv_mdl_all_passed(findings));
    assert_string_equal(findings->issuer_country, "US");
    assert_string_equal(findings->issuer_region, "MT");
    assert_string_equal(findings->anchor_list, "pinned");
    /* Another session, the signer not pinned: refused. */
    scene->anchor.is_signer = 0;
    assert_false(idv_mdl_all_passed(verify(scene, *state)));
    scene = montana(*state);
    ((unsigned char *)scene->request.parts.transcript.data)[40] ^= 1;
    expect_reason(verify(scene, *state), R(DEVICE_SIGNATURE_WRONG));
}

static void a_wallet_of_draft_18_verifies(void **state)
{
    idv_mdl_findings_t *findings = verify(draft_18(*state), *state);

    expect_all_passed(findings);
    assert_false(findings->has_device_mac);
    assert_int_equal(findings->handover, IDV_HANDOVER_OID4VP_DRAFT_18);
}

static void a_wallet_of_version_1_0_verifies(void **state)
{
    idv_mdl_findings_t *findings = verify(oid4vp_1_0(*state), *state);

    expect_all_passed(findings);
    assert_int_equal(findings->handover, IDV_HANDOVER_OID4VP_1_0);
    assert_string_equal(findings->issuer_country, "NL");
    assert_string_equal(findings->doc_type, "eu.europa.ec.eudi.pid.1");
    /* Nothing is read from name spaces that are not known. */
    assert_null(findings->person.family_name);
}

/* The handovers that are spelled out in the specification. */
static void transcripts_are_those_of_the_specification(void **state)
{
    json_t *json =
        vector_json("oid4vp-1.0-specification/vectors.json", *state);
    json_t *redirect_json = json_object_get(json, "handover");
    idv_session_parts_t parts = {
        .client_id = json_text(redirect_json, "clientId"),
        .nonce = json_text(redirect_json, "nonce"),
        .response_uri = json_text(redirect_json, "responseUri"),
        .origin = json_text(json_object_get(json, "dcapi"), "origin"),
        .thumbprint =
            from_hex(json_text(redirect_json, "jwkThumbprintHex"), *state),
    };
    idv_bytes_t transcript = idv_session_transcript(
        IDV_HANDOVER_OID4VP_1_0, IDV_HANDOVER_AS_AGREED, &parts, *state);

    assert_string_equal(idv_hex(transcript.data, transcript.length, *state),
                        json_text(redirect_json, "sessionTranscriptHex"));
    transcript = idv_session_transcript(
        IDV_HANDOVER_DC_API_1_0, IDV_HANDOVER_AS_AGREED, &parts, *state);
    assert_string_equal(
        idv_hex(transcript.data, transcript.length, *state),
        json_text(json_object_get(json, "dcapi"), "sessionTranscriptHex"));
}

/* What other implementations of the same standards make of the same parts. */
static void transcripts_are_those_of_other_implementations(void **state)
{
    static const char *const expected[] = {
        [IDV_HANDOVER_OID4VP_1_0] =
            "83f6f682714f70656e494434565048616e646f7665725820df8a20b86c99d102"
            "abe3c75ced1aa9db49534ca9943b5566bd69a7a19c06e962",
        [IDV_HANDOVER_DC_API_1_0] =
            "83f6f682764f70656e4944345650444341504948616e646f7665725820e16796"
            "a0d8e67c1b86cabe60f5fd1f90b7021b829b948b08995220087c90880d",
        [IDV_HANDOVER_ISO_18013_7_C] =
            "83f6f682656463617069582041f6407949f293de218923981857f41d3807bb67"
            "83a814cd89f7397ae9baa612",
        [IDV_HANDOVER_OID4VP_DRAFT_18] =
            "83f6f68358201abd65f95f0703d868cbb6308d3e41555f344170f2e0f0b61bd9"
            "30516714490f5820a72864e92acfc2820ec5349ddbaa7e0935c1849ab9ac6a36"
            "43c80d0b9d023faa67626d3975593255",
        [IDV_HANDOVER_DC_API_DRAFT_24] =
            "83f6f682764f70656e4944345650444341504948616e646f76657258200fcdfd"
            "9073f49abbf90aaf3e857aa88a47519af3b4d232323e4865e8140baa73",
    };
    unsigned char thumbprint[32];
    idv_session_parts_t parts = {
        .client_id = "x509_san_dns:verify.example",
        .nonce = "bm9uY2U",
        .response_uri = "https://verify.example/response",
        .origin = "https://verify.example",
        .wallet_nonce = "0123456789abcdef",
        .encryption_info = "gmVkY2FwaaJlbm9uY2U",
        .thumbprint = { thumbprint, sizeof(thumbprint) },
    };

    memset(thumbprint, 9, sizeof(thumbprint));
    for (int i = 0; i < IDV_HANDOVER_PROXIMITY; i++) {
        idv_bytes_t transcript =
            idv_session_transcript(i, IDV_HANDOVER_AS_AGREED, &parts, *state);

        assert_string_equal(
            idv_hex(transcript.data, transcript.length, *state), expected[i]);
    }
}

static void another_session_does_not_verify(void **state)
{
    scene_t *scene = oid4vp_1_0(*state);
    idv_session_parts_t good = scene->request.parts;

    scene->request.parts.nonce = "another";
    expect_reason(verify(scene, *state), R(DEVICE_SIGNATURE_WRONG));
    scene->request.parts = good;
    scene->request.parts.response_uri = "https://example.com/";
    expect_reason(verify(scene, *state), R(DEVICE_SIGNATURE_WRONG));
    scene->request.parts = good;
    scene->request.parts.client_id = "x509_san_dns:example.com";
    expect_reason(verify(scene, *state), R(DEVICE_SIGNATURE_WRONG));
    scene = annex_d(*state);
    scene->request.reader_key =
        from_hex("0102030405060708090a0b0c0d0e0f10"
                 "1112131415161718191a1b1c1d1e1f20",
                 *state);
    expect_reason(verify(scene, *state), R(DEVICE_MAC_WRONG));
    scene->request.reader_key.length = 0;
    expect_reason(verify(scene, *state), R(DEVICE_MAC_WITHOUT_KEY));
}

/* Where the signature does not fit, the findings name what would have. */
static void findings_name_the_handover_of_the_wallet(void **state)
{
    scene_t *scene = draft_18(*state);
    idv_mdl_findings_t *findings;

    scene->request.accepted = IDV_HANDOVER_BIT(OID4VP_1_0);
    findings = verify(scene, *state);
    expect_reason(findings, R(HANDOVER_NOT_ACCEPTED));
    assert_int_equal(findings->handover, IDV_HANDOVER_OID4VP_DRAFT_18);
    scene = oid4vp_1_0(*state);
    scene->request.accepted = IDV_HANDOVER_BIT(DC_API_1_0);
    findings = verify(scene, *state);
    expect_reason(findings, R(HANDOVER_NOT_ACCEPTED));
    assert_int_equal(findings->handover, IDV_HANDOVER_OID4VP_1_0);
    assert_int_equal(findings->handover_variant, IDV_HANDOVER_AS_AGREED);
}

static void validity_is_that_of_the_clock_given(void **state)
{
    scene_t *scene = oid4vp_1_0(*state);
    idv_time_t now = scene->request.trust.now;
    idv_mdl_findings_t *findings;

    scene->request.trust.now = now + 400 * IDV_DAY;
    findings = verify(scene, *state);
    expect_reason(findings, R(CREDENTIAL_EXPIRED));
    expect_reason(findings, R(ISSUER_CERTIFICATE_NOT_CURRENT));
    scene->request.trust.now = now - 30 * IDV_DAY;
    findings = verify(scene, *state);
    expect_reason(findings, R(CREDENTIAL_NOT_YET_VALID));
    assert_int_equal(
        idv_mdl_find_check(findings, IDV_MDL_CHECK_ISSUER_CERTIFICATE_VALIDITY)
            ->reason,
        R(NONE));
}

static void other_issuers_are_not_trusted(void **state)
{
    scene_t *scene = oid4vp_1_0(*state);
    idv_mdl_findings_t *findings;

    scene->request.trust.anchor_count = 0;
    findings = verify(scene, *state);
    expect_reason(findings, R(ISSUER_NOT_TRUSTED));
    assert_null(idv_mdl_find_check(
        findings, IDV_MDL_CHECK_ISSUER_CERTIFICATE_VALIDITY));
    scene->request.trust.anchor_count = 1;
    scene->anchor = annex_d(*state)->anchor;
    expect_reason(verify(scene, *state), R(ISSUER_NOT_TRUSTED));
}

static int fails(const scene_t *scene, apr_pool_t *pool)
{
    return !idv_mdl_all_passed(verify(scene, pool));
}

/* No byte may change, but for those that nothing signs and nothing rests on: two
 * unprotected key identifiers of 36 bytes with their labels, the name of an
 * empty "documentErrors" and three minor versions. */
#define UNSIGNED_BYTES (2 * 37 + 14 + 3)

static void no_byte_may_change(void **state)
{
    scene_t *scenes[] = { annex_d(*state), draft_18(*state),
                          oid4vp_1_0(*state) };
    apr_pool_t *pool;
    int unsigned_bytes = 0;

    assert_int_equal(apr_pool_create(&pool, *state), APR_SUCCESS);
    for (int s = 0; s < 3; s++) {
        unsigned char *bytes = (unsigned char *)scenes[s]->response.data;

        for (apr_size_t i = 0; i < scenes[s]->response.length; i++) {
            bytes[i] ^= 1;
            if (!fails(scenes[s], pool))
                unsigned_bytes++;
            bytes[i] ^= 1;
            apr_pool_clear(pool);
        }
        assert_false(fails(scenes[s], pool));
    }
    assert_int_equal(unsigned_bytes, UNSIGNED_BYTES);
}

static void no_prefix_is_read(void **state)
{
    scene_t *scene = annex_d(*state);
    apr_pool_t *pool;

    assert_int_equal(apr_pool_create(&pool, *state), APR_SUCCESS);
    while (scene->response.length--) {
        expect_reason(verify(scene, pool), R(RESPONSE_MALFORMED));
        apr_pool_clear(pool);
        if (!scene->response.length)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(annex_d_verifies_by_its_mac),
        pooled_test(the_wallet_of_a_state_verifies),
        pooled_test(a_wallet_of_draft_18_verifies),
        pooled_test(a_wallet_of_version_1_0_verifies),
        pooled_test(transcripts_are_those_of_the_specification),
        pooled_test(transcripts_are_those_of_other_implementations),
        pooled_test(another_session_does_not_verify),
        pooled_test(findings_name_the_handover_of_the_wallet),
        pooled_test(validity_is_that_of_the_clock_given),
        pooled_test(other_issuers_are_not_trusted),
        pooled_test(no_byte_may_change),
        pooled_test(no_prefix_is_read),
    };

    return unit_run("mdl_vectors", tests);
}
