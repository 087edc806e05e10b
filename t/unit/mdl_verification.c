/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of a wallet made for tests: each forgery fails for its reason, and
 * nothing that one may do differently does. */
#include "unit/mdl_wallet.h"

#include "methods/mdl/mdl_verification.h"

#define R(name) IDV_MDL_REASON_##name
#define MDL IDV_MDL_NAME_SPACE

static const idv_mdl_element_t age_21[] = { { MDL, "age_over_21", 0 } };
static const idv_mdl_query_t age_query = { "mdl", IDV_MDL_DOC_TYPE, age_21, 1 };

typedef struct {
    wallet_t wallet;
    idv_mdl_request_t request;
    idv_trust_anchor_t anchor;
    idv_session_parts_t answered; /* what the wallet takes the session for */
} scene_t;

static scene_t *new_scene(apr_pool_t *pool)
{
    scene_t *scene = apr_pcalloc(pool, sizeof(*scene));

    wallet_init(&scene->wallet, pool);
    scene->request = (idv_mdl_request_t){
        .channel = IDV_MDL_PROXIMITY,
        .accepted = IDV_HANDOVER_BIT(OID4VP_1_0),
        .parts = { .client_id = "x509_hash:Uvo3HtuIxuhC92rShpgqcT3YXwrqRxWEviRiA0OZszk",
                   .nonce = "n-0S6_WzA2Mj",
                   .response_uri = "https://verify.example/response",
                   .origin = "https://verify.example" },
        .queries = &age_query,
        .query_count = 1,
        .trust = { &scene->anchor, 1, ISSUER_NOW },
    };
    scene->answered = scene->request.parts;
    return scene;
}

/* Has the document issued and shown, and what comes of it examined. */
static idv_mdl_findings_t *show(scene_t *scene)
{
    static const unsigned char scalar[32] = { 1, 2, 3 };
    apr_pool_t *pool = scene->wallet.pool;
    idv_mdl_findings_t *findings, *back;
    idv_bytes_t answer, transcript;
    apr_size_t length;
    const char *text;
    EVP_PKEY *reader;

    if (!scene->wallet.issuer_auth.data)
        wallet_issue(&scene->wallet);
    if (!scene->anchor.certificate.data)
        scene->anchor.certificate = certificate_bytes(
            scene->wallet.authority_certificate, pool);
    transcript = idv_session_transcript(IDV_HANDOVER_OID4VP_1_0,
                                        IDV_HANDOVER_AS_AGREED,
                                        &scene->answered, pool);
    scene->request.reader_key = (idv_bytes_t){ scalar, 32 };
    assert_null(
        idv_p256_private_key(scene->request.reader_key, &reader, pool));
    answer = wallet_answer(&scene->wallet, reader, transcript);
    assert_null(idv_mdl_verify(&scene->request, answer, &findings, pool));
    assert_null(idv_mdl_findings_write(findings, &text, &length, pool));
    if (idv_mdl_findings_read(text, length, &back, pool))
        fail_msg("does not read back: %s", text);
    return back;
}

/* Everything passed but for REASON (NONE: everything passed). */
static void expect(const idv_mdl_findings_t *findings, idv_mdl_reason_t reason)
{
    int found = reason == R(NONE);

    for (int i = 0; i < findings->checks->nelts; i++) {
        const idv_mdl_check_t *check =
            &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);

        if (check->reason == reason)
            found = 1;
        else if (check->reason != R(NONE))
            fail_msg("%s, not %s", idv_mdl_reason_code(check->reason),
                     reason ? idv_mdl_reason_code(reason) : "passed");
    }
    if (!found)
        fail_msg("not %s", idv_mdl_reason_code(reason));
    assert_int_equal(idv_mdl_is_proved(findings), reason == R(NONE));
    if (reason != R(NONE))
        assert_int_equal(findings->ages->nelts, 0);
}

static void a_good_document_is_proved(void **state)
{
    scene_t *scene = new_scene(*state);
    idv_mdl_findings_t *findings = show(scene);

    expect(findings, R(NONE));
    assert_int_equal(findings->ages->nelts, 1);
    assert_int_equal(APR_ARRAY_IDX(findings->ages, 0, idv_mdl_age_t).over, 21);
    assert_true(APR_ARRAY_IDX(findings->ages, 0, idv_mdl_age_t).is_true);
    assert_int_equal(findings->handover, IDV_HANDOVER_OID4VP_1_0);
    assert_string_equal(findings->doc_type, IDV_MDL_DOC_TYPE);
    assert_int_equal(findings->crl_addresses->nelts, 1);
    assert_string_equal(findings->issuer_serial, "4d");
    assert_true(findings->valid_until > findings->valid_from);
}

static void a_mac_is_as_good_as_a_signature(void **state)
{
    scene_t *scene = new_scene(*state);

    scene->wallet.uses_mac = 1;
    expect(show(scene), R(NONE));
    scene->wallet.faults = WALLET_BREAKS_DEVICE_SIGNATURE;
    expect(show(scene), R(DEVICE_MAC_WRONG));
    scene->wallet.faults = 0;
    scene->answered.nonce = "another";
    expect(show(scene), R(DEVICE_MAC_WRONG));
}

static void every_allowed_algorithm_verifies(void **state)
{
    static const struct {
        const char *curve, *digest;
        apr_int64_t algorithm;
    } rows[] = {
        { "P-256", "SHA256", -7 },            { "P-256", "SHA256", -9 },
        { "P-384", "SHA384", -35 },           { "P-384", "SHA384", -51 },
        { "P-521", "SHA512", -36 },           { "P-521", "SHA512", -52 },
        { "ED25519", NULL, -8 },              { "ED25519", NULL, -19 },
        { "ED448", NULL, -8 },                { "ED448", NULL, -53 },
        { "brainpoolP256r1", "SHA256", -7 },  { "brainpoolP256r1", "SHA256", -265 },
        { "brainpoolP320r1", "SHA384", -35 }, { "brainpoolP384r1", "SHA384", -267 },
        { "brainpoolP512r1", "SHA512", -36 },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene = new_scene(*state);

        scene->wallet.device_curve = rows[i].curve;
        scene->wallet.device_digest = rows[i].digest;
        scene->wallet.device_algorithm = rows[i].algorithm;
        expect(show(scene), R(NONE));
        scene = new_scene(*state);
        scene->wallet.signer.curve = rows[i].curve;
        scene->wallet.signer.digest = rows[i].digest;
        scene->wallet.issuer_algorithm = rows[i].algorithm;
        expect(show(scene), R(NONE));
    }
}

static void other_algorithms_are_refused(void **state)
{
    scene_t *scene = new_scene(*state);

    scene->wallet.issuer_algorithm = -37; /* PS256 */
    expect(show(scene), R(ISSUER_ALGORITHM_NOT_ALLOWED));
    scene = new_scene(*state);
    scene->wallet.faults = WALLET_ALGORITHM_UNPROTECTED;
    expect(show(scene), R(ISSUER_ALGORITHM_NOT_ALLOWED));
    scene = new_scene(*state);
    scene->wallet.issuer_algorithm = -35; /* ES384 on P-256 */
    expect(show(scene), R(ISSUER_KEY_UNSUITABLE));
    scene = new_scene(*state);
    scene->wallet.device_algorithm = -47; /* ES256K */
    expect(show(scene), R(DEVICE_ALGORITHM_NOT_ALLOWED));
    scene = new_scene(*state);
    scene->wallet.device_algorithm = -36;
    expect(show(scene), R(DEVICE_KEY_UNSUITABLE));
}

static void each_forgery_fails_for_its_reason(void **state)
{
    static const struct {
        unsigned fault;
        idv_mdl_reason_t reason;
    } rows[] = {
        { WALLET_LEAVES_OUT_DIGEST, R(DIGEST_MISSING) },
        { WALLET_SHORT_RANDOM, R(RANDOM_TOO_SHORT) },
        { WALLET_ELEMENT_TWICE, R(ELEMENT_TWICE) },
        { WALLET_BREAKS_ISSUER_SIGNATURE, R(ISSUER_SIGNATURE_WRONG) },
        { WALLET_BREAKS_DEVICE_SIGNATURE, R(DEVICE_SIGNATURE_WRONG) },
        { WALLET_SIGNS_WITH_OTHER_KEY, R(DEVICE_SIGNATURE_WRONG) },
        { WALLET_HAS_NO_CERTIFICATE, R(ISSUER_CERTIFICATE_MISSING) },
        { WALLET_HAS_BROKEN_CERTIFICATE, R(ISSUER_CERTIFICATE_MALFORMED) },
        { WALLET_GIVES_DOCUMENT_TWICE, R(DOCUMENT_NOT_REQUESTED) },
        { WALLET_GIVES_NOTHING, R(WALLET_DECLINED) },
        { WALLET_HAS_DEVICE_ITEM, R(DEVICE_ELEMENT_NOT_AUTHORIZED) },
        { WALLET_BREAKS_DEVICE_KEY, R(DEVICE_KEY_MALFORMED) },
        { WALLET_SIGNS_AND_MACS, R(RESPONSE_MALFORMED) },
        { WALLET_ATTACHES_PAYLOAD, R(RESPONSE_MALFORMED) },
        { WALLET_SENDS_CHAIN, R(NONE) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene = new_scene(*state);

        scene->wallet.faults = rows[i].fault;
        expect(show(scene), rows[i].reason);
    }
}

/* age_over_21: false for true, and each of several elements. */
static void every_digest_is_compared(void **state)
{
    static const wallet_item_t items[] = { { "family_name", "6141" },
                                           { "given_name", "6142" },
                                           { "document_number", "6143" } };
    static const idv_mdl_element_t elements[] = { { MDL, "family_name", 0 },
                                                  { MDL, "given_name", 0 },
                                                  { MDL, "document_number",
                                                    0 } };
    static const idv_mdl_query_t query = { "mdl", IDV_MDL_DOC_TYPE, elements,
                                           3 };
    scene_t *scene = new_scene(*state);

    scene->wallet.faults = WALLET_CHANGES_VALUE;
    expect(show(scene), R(DIGEST_WRONG));
    for (int i = 0; i < 3; i++) {
        scene = new_scene(*state);
        scene->wallet.items = items;
        scene->wallet.item_count = 3;
        scene->request.queries = &query;
        wallet_issue(&scene->wallet);
        expect(show(scene), R(NONE));
        scene->wallet.tagged[i] = item_bytes(&scene->wallet, i, "6144");
        expect(show(scene), R(DIGEST_WRONG));
    }
    scene = new_scene(*state);
    scene->wallet.items = items;
    scene->wallet.item_count = 3;
    scene->request.queries = &query;
    scene->wallet.faults = WALLET_DIGEST_ID_TWICE;
    /* The second has the digest of the first, which is another's. */
    expect(show(scene), R(DIGEST_WRONG));
}

static void digests_of_every_algorithm_are_known(void **state)
{
    static const char *const names[] = { "SHA-256", "SHA-384", "SHA-512" };
    scene_t *scene;

    for (int i = 0; i < 3; i++) {
        scene = new_scene(*state);
        scene->wallet.digest = names[i];
        expect(show(scene), R(NONE));
    }
    scene = new_scene(*state);
    scene->wallet.digest_name = "SHA-1";
    expect(show(scene), R(DIGEST_ALGORITHM_UNKNOWN));
    scene = new_scene(*state);
    scene->wallet.digest_name = "SHA-512"; /* but it is of SHA-256 */
    expect(show(scene), R(DIGEST_WRONG));
}

static void times_are_those_of_the_clock_given(void **state)
{
    static const struct {
        const char *signed_at, *from, *until;
        idv_mdl_reason_t reason;
    } rows[] = {
        { "2026-05-20T00:00:00Z", "2026-05-20T00:00:00Z",
          "2026-06-01T12:00:00Z", R(NONE) },
        { "2026-05-20T00:00:00Z", "2026-05-20T00:00:00Z",
          "2026-06-01T11:59:59Z", R(CREDENTIAL_EXPIRED) },
        { "2026-05-20T00:00:00Z", "2026-06-01T12:00:00Z",
          "2026-07-01T00:00:00Z", R(NONE) },
        { "2026-05-20T00:00:00Z", "2026-06-01T12:00:01Z",
          "2026-07-01T00:00:00Z", R(CREDENTIAL_NOT_YET_VALID) },
        /* A fraction, which is forbidden and occurs. */
        { "2026-05-20T00:00:00.123Z", "2026-05-20T00:00:00.999Z",
          "2026-07-01T00:00:00.5Z", R(NONE) },
        { "2026-05-21T00:00:00Z", "2026-05-20T00:00:00Z",
          "2026-07-01T00:00:00Z", R(VALIDITY_CONTRADICTORY) },
        { "2026-02-20T00:00:00Z", "2026-02-20T00:00:00Z",
          "2026-07-01T00:00:00Z", R(SIGNED_OUTSIDE_CERTIFICATE) },
        { "2026-05-20T00:00:00+02:00", "2026-05-20T00:00:00Z",
          "2026-07-01T00:00:00Z", R(RESPONSE_MALFORMED) },
        { "2026-05-20 00:00:00Z", "2026-05-20T00:00:00Z",
          "2026-07-01T00:00:00Z", R(RESPONSE_MALFORMED) },
        { "2026-02-30T00:00:00Z", "2026-05-20T00:00:00Z",
          "2026-07-01T00:00:00Z", R(RESPONSE_MALFORMED) },
        { "2026-05-20T00:00:00Z", "1013-05-20T00:00:00Z",
          "2026-07-01T00:00:00Z", R(RESPONSE_MALFORMED) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene = new_scene(*state);

        scene->wallet.signed_at = rows[i].signed_at;
        scene->wallet.valid_from = rows[i].from;
        scene->wallet.valid_until = rows[i].until;
        expect(show(scene), rows[i].reason);
    }
}

static void issuers_are_looked_at(void **state)
{
    scene_t *scene = new_scene(*state), *other = new_scene(*state);
    idv_mdl_findings_t *findings;

    show(other);
    scene->anchor = other->anchor;
    findings = show(scene);
    expect(findings, R(ISSUER_NOT_TRUSTED));
    assert_null(findings->anchor_fingerprint);
    scene = new_scene(*state);
    scene->wallet.signer.purposes = "critical,1.0.18013.5.1.6";
    findings = show(scene);
    expect(findings, R(ISSUER_CERTIFICATE_PROFILE_WRONG));
    assert_int_equal(findings->issuer_profile, IDV_PROFILE_EXTENDED_KEY_USAGE);
    /* A deviation is told, and the document is as good as any. */
    scene = new_scene(*state);
    scene->wallet.signer.purposes = "1.0.18013.5.1.2";
    findings = show(scene);
    assert_int_equal(
        idv_mdl_find_check(findings, IDV_MDL_CHECK_ISSUER_CERTIFICATE_FORM)
            ->reason,
        R(ISSUER_PURPOSE_NOT_CRITICAL));
    assert_true(idv_mdl_is_proved(findings));
    assert_int_equal(findings->ages->nelts, 1);
    scene = new_scene(*state);
    scene->wallet.signer.end = -1;
    expect(show(scene), R(ISSUER_CERTIFICATE_NOT_CURRENT));
    /* From before there were Unix times. */
    scene = new_scene(*state);
    scene->wallet.signer.begin = -25100;
    scene->wallet.signer.end = -25000;
    findings = show(scene);
    assert_true(findings->issuer_not_after == 0);
    assert_int_equal(
        idv_mdl_find_check(findings, IDV_MDL_CHECK_ISSUER_CERTIFICATE_VALIDITY)
            ->reason,
        R(ISSUER_CERTIFICATE_NOT_CURRENT));
    scene = new_scene(*state);
    scene->wallet.authority.end = -1;
    expect(show(scene), R(ISSUER_CERTIFICATE_NOT_CURRENT));
}

static void documents_are_of_the_type_that_was_asked_for(void **state)
{
    scene_t *scene = new_scene(*state);

    scene->wallet.doc_type = "org.example.other";
    expect(show(scene), R(DOCUMENT_NOT_REQUESTED));
    scene = new_scene(*state);
    scene->wallet.doc_type = "org.iso.23220.photoid.1";
    expect(show(scene), R(OTHER_DOCUMENT_TYPE));
    scene = new_scene(*state);
    scene->wallet.doc_type = "org.iso.23220.photoid.1";
    scene->wallet.faults = WALLET_GIVES_DOCUMENT_TWICE;
    expect(show(scene), R(DOCUMENT_NOT_REQUESTED));
    scene = new_scene(*state);
    scene->wallet.signed_doc_type = "org.example.other";
    expect(show(scene), R(DOCUMENT_TYPE_MISMATCH));
    scene = new_scene(*state);
    scene->wallet.version = "2.0";
    expect(show(scene), R(RESPONSE_VERSION_UNKNOWN));
    scene = new_scene(*state);
    scene->wallet.status_code = 11; /* it could not decode the request */
    expect(show(scene), R(RESPONSE_STATUS_ERROR));
}

/* The wallet says that it gives nothing, by each of the ways of ISO/IEC 18013-5:
 * that is no answer, and counts for nobody. */
static void a_decline_is_no_answer(void **state)
{
    for (int i = 0; i < 3; i++) {
        scene_t *scene = new_scene(*state);
        idv_mdl_findings_t *findings;

        scene->wallet.status_code = i == 0 ? 0 : 10;
        scene->wallet.faults = i == 2 ? 0 : WALLET_GIVES_NOTHING;
        findings = show(scene);
        expect(findings, R(WALLET_DECLINED));
        assert_int_equal(idv_mdl_declined(findings), R(WALLET_DECLINED));
        assert_false(idv_mdl_is_answer(findings));
    }
    assert_int_equal(idv_mdl_declined(show(new_scene(*state))), R(NONE));
}

/* One of the alternatives has to be there. */
static void one_alternative_is_enough(void **state)
{
    static const idv_mdl_element_t wanted[] = { { MDL, "age_over_18", 1 },
                                                { MDL, "age_over_21", 1 },
                                                { MDL, "birth_date", 1 } };
    static const idv_mdl_query_t query = { "mdl", IDV_MDL_DOC_TYPE, wanted, 3 };
    static const wallet_item_t items[] = {
        { "age_over_18", "f5" },
        { "age_over_21", "f5" },
        { "birth_date", "d903ec6a323030302d30312d3031" },
    };

    for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
        scene_t *scene = new_scene(*state);

        scene->request.queries = &query;
        scene->wallet.items = &items[i];
        scene->wallet.item_count = 1;
        expect(show(scene), R(NONE));
        scene->wallet.item_count = 0;
        expect(show(scene), R(ELEMENT_MISSING));
    }
}

/* What a reader asks for, what a device gives (7.2.5). */
static void ages_are_answered_by_what_follows_from_others(void **state)
{
    static const struct {
        wallet_item_t item;
        idv_mdl_reason_t reason;
    } rows[] = {
        { { "age_over_21", "f5" }, R(NONE) },
        { { "age_over_21", "f4" }, R(NONE) },
        { { "age_over_25", "f5" }, R(NONE) },
        { { "age_over_18", "f4" }, R(NONE) },
        { { "age_over_18", "f5" }, R(ELEMENT_NOT_REQUESTED) },
        { { "age_over_25", "f4" }, R(ELEMENT_NOT_REQUESTED) },
        { { "age_over_121", "f5" }, R(ELEMENT_NOT_REQUESTED) },
        { { "age_in_years", "1820" }, R(ELEMENT_NOT_REQUESTED) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene = new_scene(*state);
        idv_mdl_findings_t *findings;

        scene->wallet.items = &rows[i].item;
        findings = show(scene);
        if (rows[i].reason == R(NONE)) {
            expect(findings, R(NONE));
        } else {
            /* Besides, what was asked for is missing: the first stands. */
            assert_int_equal(
                idv_mdl_find_check(findings, IDV_MDL_CHECK_REQUESTED_ELEMENTS)
                    ->reason,
                rows[i].reason);
        }
    }
}

static void elements_are_those_that_were_asked_for(void **state)
{
    static const idv_mdl_element_t wanted[] = { { MDL, "age_over_21", 0 },
                                                { MDL, "family_name", 0 },
                                                { MDL, "given_name", 1 } };
    static const idv_mdl_query_t query = { "mdl", IDV_MDL_DOC_TYPE, wanted, 3 };
    static const wallet_item_t more[] = { { "age_over_21", "f5" },
                                          { "family_name", "6141" } };
    scene_t *scene = new_scene(*state);

    scene->request.queries = &query;
    expect(show(scene), R(ELEMENT_MISSING));
    scene = new_scene(*state);
    scene->request.queries = &query;
    scene->wallet.items = more;
    scene->wallet.item_count = 2;
    expect(show(scene), R(NONE));
    scene = new_scene(*state);
    scene->wallet.items = more;
    scene->wallet.item_count = 2;
    expect(show(scene), R(ELEMENT_NOT_REQUESTED));
    /* In another name space it is another element. */
    scene = new_scene(*state);
    scene->wallet.name_space = "org.example";
    assert_int_equal(
        idv_mdl_find_check(show(scene), IDV_MDL_CHECK_REQUESTED_ELEMENTS)
            ->reason,
        R(ELEMENT_NOT_REQUESTED));
}

static void elements_are_of_their_types(void **state)
{
    static const struct {
        wallet_item_t item;
        idv_mdl_reason_t reason;
    } rows[] = {
        { { "age_over_21", "01" }, R(ELEMENT_TYPE_WRONG) },
        { { "age_over_21", "f6" }, R(ELEMENT_TYPE_WRONG) },
        { { "age_over_21", "6474727565" }, R(ELEMENT_TYPE_WRONG) },
        { { "birth_date", "d903ec6a313938302d30332d3034" }, R(NONE) },
        { { "birth_date", "6a313938302d30332d3034" }, R(NONE) },
        { { "birth_date", "c074313938302d30332d30345430303a30303a30305a" },
          R(NONE) },
        { { "birth_date", "d903ec67313938302d3033" }, R(ELEMENT_TYPE_WRONG) },
        { { "birth_date", "1907bc" }, R(ELEMENT_TYPE_WRONG) },
        { { "family_name", "60" }, R(ELEMENT_TYPE_WRONG) },
        { { "family_name", "62410a" }, R(ELEMENT_TYPE_WRONG) },
        { { "family_name", "64c39c4245" }, R(NONE) },
        { { "issuing_country", "625553" }, R(NONE) },
        { { "issuing_country", "627573" }, R(ELEMENT_TYPE_WRONG) },
        { { "issuing_country", "63555341" }, R(ELEMENT_TYPE_WRONG) },
        { { "issuing_country", "624341" }, R(ISSUING_PLACE_MISMATCH) },
        { { "issuing_jurisdiction", "6555532d4d44" }, R(NONE) },
        { { "issuing_jurisdiction", "6543412d4f4e" },
          R(ISSUING_PLACE_MISMATCH) },
        { { "portrait", "43ffd8ff" }, R(NONE) },
        { { "portrait", "40" }, R(ELEMENT_TYPE_WRONG) },
        { { "portrait", "63616263" }, R(ELEMENT_TYPE_WRONG) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene = new_scene(*state);
        idv_mdl_element_t element = { MDL, rows[i].item.element, 0 };
        idv_mdl_query_t query = { "mdl", IDV_MDL_DOC_TYPE, &element, 1 };

        scene->wallet.items = &rows[i].item;
        scene->request.queries = &query;
        expect(show(scene), rows[i].reason);
    }
}

static void the_region_is_the_signers(void **state)
{
    static const wallet_item_t item = { "issuing_jurisdiction",
                                        "6555532d4d44" /* US-MD */ };
    static const idv_mdl_element_t element = { MDL, "issuing_jurisdiction", 0 };
    static const idv_mdl_query_t query = { "mdl", IDV_MDL_DOC_TYPE, &element,
                                           1 };
    static const char *const states[] = { "US-MD", "MD", "Maryland", "US-VA" };

    for (int i = 0; i < 4; i++) {
        scene_t *scene = new_scene(*state);

        scene->wallet.items = &item;
        scene->wallet.signer.state = states[i];
        scene->request.queries = &query;
        expect(show(scene),
               i == 3 ? R(ISSUING_PLACE_MISMATCH) : R(NONE));
    }
}

static void devices_sign_what_they_may(void **state)
{
    /* keyAuthorizations for the name space "n", its element "e", others. */
    static const struct {
        const char *authorizations;
        idv_mdl_reason_t reason;
    } rows[] = {
        { "a16a6e616d65537061636573" "81616e", R(NONE) },
        { "a16c64617461456c656d656e7473" "a1616e816165", R(NONE) },
        { "a16c64617461456c656d656e7473" "a1616e816166",
          R(DEVICE_ELEMENT_NOT_AUTHORIZED) },
        { "a16a6e616d65537061636573" "81616d",
          R(DEVICE_ELEMENT_NOT_AUTHORIZED) },
        { "a16a6e616d65537061636573" "616e", R(RESPONSE_MALFORMED) },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        scene_t *scene = new_scene(*state);

        scene->wallet.faults = WALLET_HAS_DEVICE_ITEM;
        scene->wallet.authorizations = rows[i].authorizations;
        expect(show(scene), rows[i].reason);
    }
}

static void the_status_is_read_out(void **state)
{
    scene_t *scene = new_scene(*state);
    idv_mdl_findings_t *findings;

    /* {"status_list": {"idx": 412, "uri": "https://s.example/1"}} */
    scene->wallet.status = "a16b7374617475735f6c697374a2636964781901" "9c"
                           "63757269" "7368747470733a2f2f732e6578616d706c652f31";
    findings = show(scene);
    expect(findings, R(NONE));
    assert_string_equal(findings->status_list_address, "https://s.example/1");
    assert_int_equal(findings->status_list_index, 412);
    /* {"identifier_list": {"id": h'0102', "uri": "https://s.example/1"}} */
    scene = new_scene(*state);
    scene->wallet.status = "a16f6964656e7469666965725f6c697374a2626964420102"
                           "63757269" "7368747470733a2f2f732e6578616d706c652f31";
    findings = show(scene);
    expect(findings, R(NONE));
    assert_string_equal(findings->identifier_list_address,
                        "https://s.example/1");
    assert_int_equal(findings->identifier.length, 2);
    /* No address that can be asked is not the same as no status. */
    scene = new_scene(*state);
    scene->wallet.status = "a16b7374617475735f6c697374a2636964780163757269"
                           "6566696c653a";
    expect(show(scene), R(RESPONSE_MALFORMED));
}

static void other_sessions_do_not_verify(void **state)
{
    idv_session_parts_t others[4];
    unsigned char thumbprint[32] = { 9 };

    for (int i = 0; i < 4; i++) {
        scene_t *scene = new_scene(*state);

        others[i] = scene->answered;
        if (i == 0)
            others[i].nonce = "n-0S6_WzA2Mk";
        else if (i == 1)
            others[i].client_id = "x509_hash:another";
        else if (i == 2)
            others[i].response_uri = "https://verify.example/response2";
        else
            others[i].thumbprint = (idv_bytes_t){ thumbprint, 32 };
        scene->answered = others[i];
        expect(show(scene), R(DEVICE_SIGNATURE_WRONG));
    }
}

/* What a holder stole: another's document, with the own key. */
static void a_document_is_good_with_its_own_device_alone(void **state)
{
    scene_t *scene = new_scene(*state), *thief = new_scene(*state);

    show(scene);
    show(thief);
    thief->wallet.issuer_auth = scene->wallet.issuer_auth;
    thief->wallet.tagged[0] = scene->wallet.tagged[0];
    thief->anchor = scene->anchor;
    expect(show(thief), R(DEVICE_SIGNATURE_WRONG));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_good_document_is_proved),
        pooled_test(a_mac_is_as_good_as_a_signature),
        pooled_test(every_allowed_algorithm_verifies),
        pooled_test(other_algorithms_are_refused),
        pooled_test(each_forgery_fails_for_its_reason),
        pooled_test(every_digest_is_compared),
        pooled_test(digests_of_every_algorithm_are_known),
        pooled_test(times_are_those_of_the_clock_given),
        pooled_test(issuers_are_looked_at),
        pooled_test(documents_are_of_the_type_that_was_asked_for),
        pooled_test(ages_are_answered_by_what_follows_from_others),
        pooled_test(a_decline_is_no_answer),
        pooled_test(one_alternative_is_enough),
        pooled_test(elements_are_those_that_were_asked_for),
        pooled_test(elements_are_of_their_types),
        pooled_test(the_region_is_the_signers),
        pooled_test(devices_sign_what_they_may),
        pooled_test(the_status_is_read_out),
        pooled_test(other_sessions_do_not_verify),
        pooled_test(a_document_is_good_with_its_own_device_alone),
    };

    return unit_run("mdl_verification", tests);
}
