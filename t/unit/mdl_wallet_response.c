/* SPDX-License-Identifier: Apache-2.0 */
/* Answers by each channel: opened with the key of their request alone, and
 * bound to it. */
#include "unit/mdl_wallet.h"

#include "methods/mdl/mdl_verification.h"
#include "methods/mdl/response_encryption.h"

#define R(name) IDV_MDL_REASON_##name

static const unsigned char scalar[32] = { 4, 5, 6 };
static const unsigned char other_scalar[32] = { 4, 5, 7 };

static const idv_mdl_element_t age_21[] = { { IDV_MDL_NAME_SPACE, "age_over_21",
                                              0 } };
static const idv_mdl_element_t age_18[] = { { IDV_AGE_ATTESTATION_NAME_SPACE,
                                              "age_over_18", 0 } };
static const idv_mdl_query_t queries[] = {
    { "mdl", IDV_MDL_DOC_TYPE, age_21, 1 },
    { "av", IDV_AGE_ATTESTATION_DOC_TYPE, age_18, 1 },
};

typedef struct {
    wallet_t wallet;
    idv_mdl_request_t request;
    idv_trust_anchor_t anchor;
    EVP_PKEY *reader;
    idv_session_parts_t parts; /* as the wallet knows them */
    idv_handover_t handover;   /* that it uses */
    apr_pool_t *pool;
} scene_t;

static scene_t *new_scene(idv_mdl_channel_t channel, idv_handover_t handover,
                          apr_pool_t *pool)
{
    scene_t *scene = apr_pcalloc(pool, sizeof(*scene));
    unsigned char *thumbprint = apr_palloc(pool, IDV_DIGEST_SIZE);

    scene->pool = pool;
    scene->handover = handover;
    wallet_init(&scene->wallet, pool);
    wallet_issue(&scene->wallet);
    scene->anchor.certificate =
        certificate_bytes(scene->wallet.authority_certificate, pool);
    scene->request = (idv_mdl_request_t){
        .channel = channel,
        .accepted = 1u << handover,
        .parts = { .client_id = "x509_san_dns:verify.example",
                   .nonce = "bm9uY2U",
                   .response_uri = "https://verify.example/response",
                   .origin = "https://verify.example",
                   .encryption_info = "gmVkY2FwaaJlbm9uY2U" },
        .encryption_key = { scalar, 32 },
        .encryption_key_id = "1",
        .queries = queries,
        .query_count = 2,
        .trust = { &scene->anchor, 1, ISSUER_NOW },
    };
    assert_null(idv_p256_private_key(scene->request.encryption_key,
                                     &scene->reader, pool));
    assert_null(idv_p256_thumbprint(scene->reader, thumbprint, pool));
    scene->parts = scene->request.parts;
    scene->parts.thumbprint = (idv_bytes_t){ thumbprint, IDV_DIGEST_SIZE };
    return scene;
}

/* The DeviceResponse in the session as the wallet knows it. */
static const char *presentation(const scene_t *scene)
{
    return base64url(
        wallet_answer(&scene->wallet, scene->reader,
                      idv_session_transcript(scene->handover,
                                             IDV_HANDOVER_AS_AGREED,
                                             &scene->parts, scene->pool)),
        scene->pool);
}

static const char *payload(const scene_t *scene, const char *id,
                           const char *more)
{
    return apr_psprintf(scene->pool, "{\"vp_token\":{\"%s\":[\"%s\"]}%s}", id,
                        presentation(scene), more);
}

static idv_mdl_findings_t *verify(const scene_t *scene, idv_bytes_t bytes)
{
    idv_mdl_findings_t *findings, *back;
    const char *text;
    apr_size_t length;

    assert_null(
        idv_mdl_verify(&scene->request, bytes, &findings, scene->pool));
    assert_null(
        idv_mdl_findings_write(findings, &text, &length, scene->pool));
    if (idv_mdl_findings_read(text, length, &back, scene->pool))
        fail_msg("does not read back: %s", text);
    return back;
}

static idv_mdl_findings_t *verify_jwe(const scene_t *scene, const char *plain)
{
    return verify(scene, wallet_jwe(scene->reader, "A128GCM", "", plain,
                                    scene->pool));
}

static void expect(const idv_mdl_findings_t *findings, idv_mdl_reason_t reason)
{
    const idv_mdl_check_t *check;

    if (reason == R(NONE)) {
        for (int i = 0; i < findings->checks->nelts; i++) {
            check = &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);
            if (check->reason != R(NONE))
                fail_msg("%s", idv_mdl_reason_code(check->reason));
        }
        assert_true(idv_mdl_is_proved(findings));
        return;
    }
    check = idv_mdl_find_check(findings, idv_mdl_reason_check(reason));
    if (!check || check->reason != reason)
        fail_msg("%s, not %s",
                 check ? idv_mdl_reason_code(check->reason) : "nothing",
                 idv_mdl_reason_code(reason));
}

static idv_bytes_t bytes_of(const char *text)
{
    return (idv_bytes_t){ (const unsigned char *)text, strlen(text) };
}

static void redirects_are_encrypted_in_both_widths(void **state)
{
    static const char *const widths[] = { "A128GCM", "A256GCM" };
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);

    for (int i = 0; i < 2; i++) {
        idv_mdl_findings_t *findings = verify(
            scene, wallet_jwe(scene->reader, widths[i], "wallet",
                              payload(scene, "mdl", ""), *state));

        expect(findings, R(NONE));
        assert_true(findings->is_encrypted);
    }
    scene->wallet.uses_mac = 1; /* under the key of the encryption */
    expect(verify_jwe(scene, payload(scene, "mdl", "")), R(NONE));
}

static void states_are_those_of_the_request(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);

    scene->request.state = "st4te";
    expect(verify_jwe(scene, payload(scene, "mdl", ",\"state\":\"st4te\"")),
           R(NONE));
    expect(verify_jwe(scene, payload(scene, "mdl", ",\"state\":\"other\"")),
           R(RESPONSE_STATE_WRONG));
    expect(verify_jwe(scene, payload(scene, "mdl", "")),
           R(RESPONSE_STATE_WRONG));
}

static void plain_answers_do_where_they_were_asked_for(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);
    const char *token =
        apr_psprintf(*state, "{\"mdl\":[\"%s\"]}", presentation(scene));

    /* Whoever asked for an encrypted answer gets no other. */
    expect(verify(scene, bytes_of(token)), R(RESPONSE_NOT_ENCRYPTED));
    expect(verify(scene, bytes_of(presentation(scene))),
           R(RESPONSE_NOT_ENCRYPTED));
    scene->request.encryption_key.length = 0;
    /* The transcript names a key that there is not. */
    expect(verify(scene, bytes_of(token)), R(DEVICE_SIGNATURE_WRONG));
    scene->parts.thumbprint.length = 0;
    token = apr_psprintf(*state, "{\"mdl\":[\"%s\"]}", presentation(scene));
    expect(verify(scene, bytes_of(token)), R(NONE));
    assert_false(verify(scene, bytes_of(token))->is_encrypted);
}

/* Drafts: the token is a text, the nonce of the wallet is "apu". */
static void wallets_of_draft_18_are_understood(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_DRAFT_18, *state);
    const char *plain;
    idv_mdl_findings_t *findings;

    scene->parts.wallet_nonce = "0123456789abcdef";
    plain = apr_psprintf(*state, "{\"vp_token\":\"%s\",\"state\":\"x\"}",
                         presentation(scene));
    expect(verify(scene, wallet_jwe(scene->reader, "A256GCM",
                                    "0123456789abcdef", plain, *state)),
           R(NONE));
    expect(verify(scene, wallet_jwe(scene->reader, "A256GCM", "other", plain,
                                    *state)),
           R(DEVICE_SIGNATURE_WRONG));
    scene->request.accepted = IDV_HANDOVER_BIT(OID4VP_1_0);
    findings = verify(scene, wallet_jwe(scene->reader, "A256GCM",
                                        "0123456789abcdef", plain, *state));
    expect(findings, R(HANDOVER_NOT_ACCEPTED));
    assert_int_equal(findings->handover, IDV_HANDOVER_OID4VP_DRAFT_18);
}

static void the_api_is_bound_to_the_origin(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_DC_API, IDV_HANDOVER_DC_API_1_0, *state);

    expect(verify_jwe(scene, payload(scene, "mdl", "")), R(NONE));
    scene->parts.origin = "https://phishing.example";
    expect(verify_jwe(scene, payload(scene, "mdl", "")),
           R(DEVICE_SIGNATURE_WRONG));
    scene->parts = scene->request.parts;
    scene->parts.nonce = "another";
    expect(verify_jwe(scene, payload(scene, "mdl", "")),
           R(DEVICE_SIGNATURE_WRONG));
}

/* The usual slips of wallets are named, and not accepted. */
static void slips_are_named(void **state)
{
    static const struct {
        idv_mdl_channel_t channel;
        idv_handover_t handover;
        const char *origin, *client_id;
        int has_no_thumbprint;
        idv_handover_variant_t variant;
    } rows[] = {
        { IDV_MDL_DC_API, IDV_HANDOVER_DC_API_1_0, "https://verify.example/",
          NULL, 0, IDV_HANDOVER_ORIGIN_WITH_SLASH },
        { IDV_MDL_DC_API, IDV_HANDOVER_DC_API_1_0,
          "origin:https://verify.example", NULL, 0,
          IDV_HANDOVER_ORIGIN_WITH_PREFIX },
        { IDV_MDL_DC_API, IDV_HANDOVER_DC_API_1_0, NULL, NULL, 1,
          IDV_HANDOVER_NO_THUMBPRINT },
        { IDV_MDL_DC_API, IDV_HANDOVER_DC_API_DRAFT_24, NULL,
          "web-origin:https://verify.example", 0,
          IDV_HANDOVER_WEB_ORIGIN_CLIENT_ID },
        { IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, NULL, "verify.example", 0,
          IDV_HANDOVER_NO_CLIENT_ID_PREFIX },
        { IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, NULL, NULL, 1,
          IDV_HANDOVER_NO_THUMBPRINT },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene =
            new_scene(rows[i].channel, rows[i].handover, *state);
        idv_mdl_findings_t *findings;

        if (rows[i].origin)
            scene->parts.origin = rows[i].origin;
        if (rows[i].client_id)
            scene->parts.client_id = rows[i].client_id;
        if (rows[i].has_no_thumbprint)
            scene->parts.thumbprint.length = 0;
        findings = verify_jwe(scene, payload(scene, "mdl", ""));
        expect(findings, R(HANDOVER_NOT_ACCEPTED));
        assert_int_equal(findings->handover, rows[i].handover);
        assert_int_equal(findings->handover_variant, rows[i].variant);
    }
}

static void drafts_do_where_they_are_accepted(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_DC_API, IDV_HANDOVER_DC_API_DRAFT_24, *state);

    scene->request.accepted |= IDV_HANDOVER_BIT(DC_API_1_0);
    assert_int_equal(
        verify_jwe(scene, payload(scene, "mdl", ""))->handover,
        IDV_HANDOVER_DC_API_DRAFT_24);
    expect(verify_jwe(scene, payload(scene, "mdl", "")), R(NONE));
    scene->request.accepted = IDV_HANDOVER_BIT(DC_API_1_0);
    expect(verify_jwe(scene, payload(scene, "mdl", "")),
           R(HANDOVER_NOT_ACCEPTED));
}

static void tokens_answer_one_query(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);
    const char *one = presentation(scene);
    const struct {
        const char *plain;
        idv_mdl_reason_t reason;
    } rows[] = {
        { "{\"vp_token\":{}}", R(DOCUMENT_MISSING) },
        { "{\"error\":\"access_denied\"}", R(WALLET_DECLINED) },
        { "{\"error\":\"access_denied\",\"error_description\":\"no\"}",
          R(WALLET_DECLINED) },
        { "{\"error\":\"invalid_request\"}", R(RESPONSE_STATUS_ERROR) },
        { "{\"error\":7}", R(RESPONSE_MALFORMED) },
        { "{}", R(RESPONSE_MALFORMED) },
        { "[]", R(RESPONSE_MALFORMED) },
        { "not JSON", R(RESPONSE_MALFORMED) },
        { "{\"vp_token\":7}", R(RESPONSE_MALFORMED) },
        { "{\"vp_token\":{\"mdl\":[7]}}", R(RESPONSE_MALFORMED) },
        { "{\"vp_token\":{\"mdl\":[\"+\"]}}", R(RESPONSE_MALFORMED) },
        { "{\"vp_token\":{\"mdl\":[\"\"]}}", R(RESPONSE_MALFORMED) },
        { "{\"vp_token\":{\"mdl\":[]}}", R(DOCUMENT_MISSING) },
        { apr_psprintf(*state, "{\"vp_token\":{\"mdl\":[\"%s\",\"%s\"]}}", one,
                       one),
          R(DOCUMENT_NOT_REQUESTED) },
        { apr_psprintf(*state,
                       "{\"vp_token\":{\"mdl\":[\"%s\"],\"av\":[\"%s\"]}}", one,
                       one),
          R(DOCUMENT_NOT_REQUESTED) },
        { apr_psprintf(*state, "{\"vp_token\":{\"pid\":[\"%s\"]}}", one),
          R(DOCUMENT_NOT_REQUESTED) },
        /* A licence under the id of the attestation. */
        { apr_psprintf(*state, "{\"vp_token\":{\"av\":[\"%s\"]}}", one),
          R(DOCUMENT_NOT_REQUESTED) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        expect(verify_jwe(scene, rows[i].plain), rows[i].reason);
}

/* A decline proves nothing, so that it may come in the clear where only the browser
 * of the session can hand it in; an answer may not. */
static void browsers_report_errors_in_the_clear(void **state)
{
    static const struct {
        idv_mdl_channel_t channel;
        const char *plain;
        idv_mdl_reason_t reason;
    } rows[] = {
        { IDV_MDL_DC_API, "{\"error\":\"access_denied\"}", R(WALLET_DECLINED) },
        { IDV_MDL_ISO_DC_API, "{\"error\":\"access_denied\"}",
          R(WALLET_DECLINED) },
        { IDV_MDL_DC_API, "{\"error\":\"x\"}", R(RESPONSE_STATUS_ERROR) },
        { IDV_MDL_DC_API, "{\"vp_token\":{}}", R(RESPONSE_NOT_ENCRYPTED) },
        { IDV_MDL_DC_API, "{", R(RESPONSE_NOT_ENCRYPTED) },
        { IDV_MDL_REDIRECT, "{\"error\":\"access_denied\"}",
          R(RESPONSE_NOT_ENCRYPTED) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_handover_t handover = rows[i].channel == IDV_MDL_ISO_DC_API
                                    ? IDV_HANDOVER_ISO_18013_7_C
                                    : IDV_HANDOVER_DC_API_1_0;
        idv_mdl_findings_t *findings = verify(
            new_scene(rows[i].channel, handover, *state), bytes_of(rows[i].plain));

        expect(findings, rows[i].reason);
        assert_false(idv_mdl_is_answer(findings));
        assert_int_equal(idv_mdl_declined(findings),
                         idv_mdl_reason_check(rows[i].reason)
                                 == IDV_MDL_CHECK_DOCUMENT_RETURNED
                             ? rows[i].reason
                             : R(NONE));
    }
}

static void attestations_of_age_are_alternatives(void **state)
{
    static const wallet_item_t item = { "age_over_18", "f5" };
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);
    idv_mdl_findings_t *findings;

    scene->wallet.doc_type = scene->wallet.signed_doc_type =
        IDV_AGE_ATTESTATION_DOC_TYPE;
    scene->wallet.name_space = IDV_AGE_ATTESTATION_NAME_SPACE;
    scene->wallet.items = &item;
    wallet_issue(&scene->wallet);
    scene->anchor.certificate =
        certificate_bytes(scene->wallet.authority_certificate, *state);
    findings = verify_jwe(scene, payload(scene, "av", ""));
    expect(findings, R(NONE));
    assert_string_equal(findings->doc_type, IDV_AGE_ATTESTATION_DOC_TYPE);
    assert_int_equal(APR_ARRAY_IDX(findings->ages, 0, idv_mdl_age_t).over, 18);
}

static void only_the_key_of_the_request_opens(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);
    idv_bytes_t jwe = wallet_jwe(scene->reader, "A128GCM", "",
                                 payload(scene, "mdl", ""), *state);
    idv_mdl_findings_t *findings;

    scene->request.encryption_key.data = other_scalar;
    expect(verify(scene, jwe), R(RESPONSE_NOT_DECRYPTED));
    scene->request.encryption_key.data = scalar;
    scene->request.encryption_key_id = "2";
    expect(verify(scene, jwe), R(RESPONSE_NOT_DECRYPTED));
    scene->request.encryption_key.length = 31;
    assert_non_null(
        idv_mdl_verify(&scene->request, jwe, &findings, *state));
}

/* --- annex C --- */

/* LabeledExtract and LabeledExpand of RFC 9180 by OpenSSL's HKDF. */
typedef struct {
    const char *suite;
    size_t suite_length;
    unsigned char key[32];
} hpke_t;

static idv_bytes_t labeled(const hpke_t *hpke, const char *prefix,
                           size_t prefix_length, const char *label,
                           idv_bytes_t tail, apr_pool_t *pool)
{
    unsigned char *text = apr_palloc(pool, 256 + tail.length), *to = text;

    memcpy(to, prefix, prefix_length);
    to += prefix_length;
    memcpy(to, "HPKE-v1", 7);
    to += 7;
    memcpy(to, hpke->suite, hpke->suite_length);
    to += hpke->suite_length;
    memcpy(to, label, strlen(label));
    to += strlen(label);
    if (tail.length)
        memcpy(to, tail.data, tail.length);
    return (idv_bytes_t){ text, (apr_size_t)(to - text) + tail.length };
}

static void hpke_extract(const hpke_t *hpke, idv_bytes_t salt,
                         const char *label, idv_bytes_t secret,
                         unsigned char *out, apr_pool_t *pool)
{
    idv_bytes_t text = labeled(hpke, "", 0, label, secret, pool);
    int mode = EVP_KDF_HKDF_MODE_EXTRACT_ONLY;

    kdf("HKDF",
        (OSSL_PARAM[]){
            OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0),
            OSSL_PARAM_construct_int("mode", &mode),
            OSSL_PARAM_construct_octet_string("key", (void *)text.data,
                                              text.length),
            OSSL_PARAM_construct_octet_string("salt", (void *)salt.data,
                                              salt.length),
            OSSL_PARAM_construct_end() },
        out, 32);
}

static void hpke_expand(const hpke_t *hpke, const char *label,
                        idv_bytes_t information, unsigned char *out,
                        size_t length, apr_pool_t *pool)
{
    char prefix[2] = { 0, (char)length };
    idv_bytes_t text = labeled(hpke, prefix, 2, label, information, pool);
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;

    kdf("HKDF",
        (OSSL_PARAM[]){
            OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0),
            OSSL_PARAM_construct_int("mode", &mode),
            OSSL_PARAM_construct_octet_string("key", (void *)hpke->key, 32),
            OSSL_PARAM_construct_octet_string("info", (void *)text.data,
                                              text.length),
            OSSL_PARAM_construct_end() },
        out, length);
}

/* PLAIN for the scene's reader: base64url of ["dcapi", {enc, cipherText}]. */
static idv_bytes_t hpke_response(const scene_t *scene, idv_bytes_t info,
                                 idv_bytes_t plain)
{
    apr_pool_t *pool = scene->pool;
    EVP_PKEY *own = new_key("P-256", pool);
    hpke_t kem = { "KEM\0\x10", 5, { 0 } };
    hpke_t suite = { "HPKE\0\x10\0\x01\0\x01", 10, { 0 } };
    unsigned char context[130], schedule[65] = { 0 }, key[16], nonce[12];
    unsigned char secret[32], shared[32];
    size_t length = 65;
    idv_bytes_t none = { (const unsigned char *)"", 0 };
    idv_cbor_writer_t writer;
    const char *text;

    EVP_PKEY_get_octet_string_param(own, OSSL_PKEY_PARAM_PUB_KEY, context, 65,
                                    &length);
    EVP_PKEY_get_octet_string_param(scene->reader, OSSL_PKEY_PARAM_PUB_KEY,
                                    context + 65, 65, &length);
    length = 32;
    derive(own, scene->reader, secret, &length);
    hpke_extract(&kem, none, "eae_prk", (idv_bytes_t){ secret, 32 }, kem.key,
                 pool);
    hpke_expand(&kem, "shared_secret", (idv_bytes_t){ context, 130 }, shared,
                32, pool);
    hpke_extract(&suite, none, "psk_id_hash", none, schedule + 1, pool);
    hpke_extract(&suite, none, "info_hash", info, schedule + 33, pool);
    hpke_extract(&suite, (idv_bytes_t){ shared, 32 }, "secret", none, suite.key,
                 pool);
    hpke_expand(&suite, "key", (idv_bytes_t){ schedule, 65 }, key, 16, pool);
    hpke_expand(&suite, "base_nonce", (idv_bytes_t){ schedule, 65 }, nonce, 12,
                pool);
    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 2);
    idv_cbor_put_text(&writer, "dcapi");
    idv_cbor_put_map(&writer, 2);
    idv_cbor_put_text(&writer, "enc");
    idv_cbor_put_bytes(&writer, (idv_bytes_t){ context, 65 });
    idv_cbor_put_text(&writer, "cipherText");
    idv_cbor_put_bytes(&writer,
                       seal("AES-128-GCM", key, nonce, none, plain, pool));
    text = base64url(idv_cbor_written(&writer), pool);
    return bytes_of(text);
}

static idv_bytes_t annex_c_response(const scene_t *scene)
{
    idv_bytes_t transcript =
        idv_session_transcript(IDV_HANDOVER_ISO_18013_7_C,
                               IDV_HANDOVER_AS_AGREED, &scene->parts,
                               scene->pool);

    return hpke_response(
        scene, transcript,
        wallet_answer(&scene->wallet, scene->reader, transcript));
}

static void annex_c_is_opened_and_bound(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_ISO_DC_API, IDV_HANDOVER_ISO_18013_7_C, *state);
    idv_mdl_findings_t *findings;
    idv_bytes_t response = annex_c_response(scene);

    expect(verify(scene, response), R(NONE));
    assert_true(verify(scene, response)->is_encrypted);
    scene->wallet.uses_mac = 1;
    expect(verify(scene, annex_c_response(scene)), R(NONE));
    scene->wallet.uses_mac = 0;
    scene->parts.origin = "https://phishing.example";
    expect(verify(scene, annex_c_response(scene)), R(RESPONSE_NOT_DECRYPTED));
    scene->parts.origin = "https://verify.example/";
    findings = verify(scene, annex_c_response(scene));
    expect(findings, R(RESPONSE_NOT_DECRYPTED));
    assert_int_equal(findings->handover, IDV_HANDOVER_ISO_18013_7_C);
    assert_int_equal(findings->handover_variant,
                     IDV_HANDOVER_ORIGIN_WITH_SLASH);
    scene->parts = scene->request.parts;
    scene->parts.encryption_info = "another";
    expect(verify(scene, annex_c_response(scene)), R(RESPONSE_NOT_DECRYPTED));
}

static void annex_c_is_read_strictly(void **state)
{
    static const char *const wrong[] = {
        "", "+", "AA", "gA", "gmVkY2FwaaA", "gmVvdGhlcqJjZW5jQGpjaXBoZXJUZXh0QA"
    };
    scene_t *scene =
        new_scene(IDV_MDL_ISO_DC_API, IDV_HANDOVER_ISO_18013_7_C, *state);
    idv_mdl_findings_t *findings;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        expect(verify(scene, bytes_of(wrong[i])), R(RESPONSE_MALFORMED));
    scene->request.encryption_key.length = 0;
    assert_non_null(idv_mdl_verify(&scene->request, bytes_of(""), &findings,
                                   *state));
}

/* A cap stands before everything that is done. */
static void answers_have_no_size_without_bound(void **state)
{
    scene_t *scene =
        new_scene(IDV_MDL_REDIRECT, IDV_HANDOVER_OID4VP_1_0, *state);
    apr_size_t length = IDV_WALLET_RESPONSE_MAX + 1;
    unsigned char *bytes = apr_palloc(*state, length);

    memset(bytes, 'A', length);
    expect(verify(scene, (idv_bytes_t){ bytes, length }),
           R(RESPONSE_MALFORMED));
    bytes[20] = bytes[30] = bytes[40] = bytes[50] = '.';
    expect(verify(scene, (idv_bytes_t){ bytes, length - 1 }),
           R(RESPONSE_NOT_DECRYPTED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(redirects_are_encrypted_in_both_widths),
        pooled_test(states_are_those_of_the_request),
        pooled_test(plain_answers_do_where_they_were_asked_for),
        pooled_test(wallets_of_draft_18_are_understood),
        pooled_test(the_api_is_bound_to_the_origin),
        pooled_test(slips_are_named),
        pooled_test(drafts_do_where_they_are_accepted),
        pooled_test(tokens_answer_one_query),
        pooled_test(browsers_report_errors_in_the_clear),
        pooled_test(attestations_of_age_are_alternatives),
        pooled_test(only_the_key_of_the_request_opens),
        pooled_test(annex_c_is_opened_and_bound),
        pooled_test(annex_c_is_read_strictly),
        pooled_test(answers_have_no_size_without_bound),
    };

    return unit_run("mdl_wallet_response", tests);
}
