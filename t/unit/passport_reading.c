/* SPDX-License-Identifier: Apache-2.0 */
/* A whole passport, and everything that somebody may do to it. */
#include "unit/passport_whole.h"

static void a_good_passport_passes(void **state)
{
    passport_t *passport = new_passport(*state);
    idv_passport_findings_t *findings = read_passport(passport);
    idv_method_outcome_t *outcome = decide(passport);
    json_t *result = outcome->verification_result;

    for (int i = 0; i < outcome->check_count; i++)
        if (outcome->checks[i].result != IDV_CHECK_PASSED)
            fail_msg("%s: %s", outcome->checks[i].name,
                     outcome->checks[i].reason);
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_SIGNED);
    assert_null(outcome->last_error);
    assert_int_equal(outcome->facts.age, 61);
    assert_string_equal(outcome->facts.jurisdiction, "DE");
    assert_string_equal(outcome->document.kind, "passport");
    assert_string_equal(outcome->document.issuer, "DE");
    assert_int_equal(outcome->facts.expiry.year, 2027);
    assert_string_equal(json_string_value(json_object_get(result, "method")),
                        "nfc_passport");
    assert_string_equal(
        json_string_value(json_object_get(result, "assurance")), "signed");
    assert_int_equal(
        json_integer_value(json_object_get(result, "age_estimate")), 61);
    assert_true(json_real_value(json_object_get(result, "confidence")) > 0.94);
    assert_int_equal(
        json_integer_value(json_object_get(result, "liveness_score")), 0);
    assert_true(flag(outcome, "age_verified"));
    assert_true(flag(outcome, "identity_verified"));
    assert_true(flag(outcome, "chip_passive_auth_passed"));
    assert_true(flag(outcome, "chip_active_auth_passed"));
    assert_int_equal(json_object_size(result), 9);
    /* What the result rests on. */
    assert_string_equal(findings->csca->source, "list 2026-01");
    assert_string_equal(findings->csca->country, "DE");
    assert_int_equal(strlen(findings->signer->fingerprint), 64);
    assert_int_equal(findings->signer->not_after, 2051222400000);
    assert_string_equal(findings->reader, "test 1.0");
    assert_int_equal(findings->portrait.format, IDV_PORTRAIT_JPEG);
    assert_int_equal(findings->portrait.width, 3);
}

/* --- what may be done to it --- */

static void swap_zone(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG1] =
        with_other_byte(passport->pool, passport->dump.files[IDV_CHIP_DG1], 10);
}

static void swap_active_key(passport_t *passport)
{
    passport->active_key = chip_key(passport->pool, "P-256", "SHA256");
    passport->dump.files[IDV_CHIP_DG15] =
        DER(passport->pool, 0x6F,
            chip_public_key(passport->pool, passport->active_key.key));
    use_chip(passport);
}

/* The same in the files of the passport itself. */
static void sign_with_other_key(passport_t *passport)
{
    passport->active_key = chip_key(passport->pool, "P-256", "SHA256");
    use_chip(passport);
}

static void swap_chip_key(passport_t *passport)
{
    passport->way.key = chip_key(passport->pool, "P-256", "SHA256").key;
    passport->dump.files[IDV_CHIP_DG14] = passport->chip.dg14 = relay_dg14(
        passport->pool, &passport->way, 1, BYTES(PLAIN_SHA256));
    use_chip(passport);
}

static void replay_challenge(passport_t *passport)
{
    passport->evidence.challenge = BYTES("\x08\x07\x06\x05\x04\x03\x02\x01");
}

static void replay_signature(passport_t *passport)
{
    replay_challenge(passport);
    passport->dump.challenge = passport->evidence.challenge;
}

static void replay_relay(passport_t *passport)
{
    static const unsigned char other[IDV_CHIP_RELAY_SEED_SIZE] = { 8 };

    passport->relay.seed = other;
}

static void trust_another(passport_t *passport)
{
    passport->evidence.list = CHIP_LIST(
        passport->pool, chip_plain_issuer(passport->pool).csca);
}

/* By the CSCA of another state, which is trusted as well, for a document signer
 * that says it is of COUNTRY. */
static void sign_abroad(passport_t *passport, const char *country)
{
    apr_pool_t *pool = passport->pool;
    chip_issuer_t *issuer = &passport->issuer;

    issuer->csca = chip_certificate(
        pool, &(chip_certificate_t){ .key = issuer->csca_key,
                                     .issuer_key = issuer->csca_key,
                                     .country = "UT",
                                     .subject = "csca",
                                     .issuer = "csca",
                                     .is_authority = 1 });
    issuer->signer = chip_certificate(
        pool, &(chip_certificate_t){ .key = issuer->signer_key,
                                     .issuer_key = issuer->csca_key,
                                     .country = country,
                                     .subject = "document signer",
                                     .issuer = "csca" });
    chip_sign_dump(pool, issuer, &passport->dump);
    passport->evidence.list = CHIP_LIST(pool, issuer->csca);
}

static void sign_by_another_state(passport_t *passport)
{
    sign_abroad(passport, "UT");
}

static void sign_for_another_state(passport_t *passport)
{
    sign_abroad(passport, "DE");
}

/* The document signer's certificate with the dates or the extension given. */
static void let_signer_begin_later(passport_t *passport)
{
    sign_anew(passport, "260615120001Z", NULL, BYTES(""));
}

static void sign_for_other_types(passport_t *passport)
{
    apr_pool_t *pool = passport->pool;

    sign_anew(passport, NULL, NULL,
              chip_extension(pool, BYTES("\x67\x81\x08\x01\x01\x06\x02"), 0,
                             DER(pool, 0x30, BYTES("\x02\x01\0"),
                                 DER(pool, 0x31, DER(pool, 0x13, BYTES("ID")),
                                     DER(pool, 0x13, BYTES("PD"))))));
}

static void let_csca_expire(passport_t *passport)
{
    chip_issuer_t *issuer = &passport->issuer;

    issuer->csca = chip_certificate(
        passport->pool, &(chip_certificate_t){ .key = issuer->csca_key,
                                               .issuer_key = issuer->csca_key,
                                               .subject = "csca",
                                               .issuer = "csca",
                                               .is_authority = 1,
                                               .not_after = "260101000000Z" });
    passport->evidence.list = CHIP_LIST(passport->pool, issuer->csca);
}

static void let_csca_begin_later(passport_t *passport)
{
    chip_issuer_t *issuer = &passport->issuer;

    issuer->csca = chip_certificate(
        passport->pool, &(chip_certificate_t){ .key = issuer->csca_key,
                                               .issuer_key = issuer->csca_key,
                                               .subject = "csca",
                                               .issuer = "csca",
                                               .is_authority = 1,
                                               .not_before = "260701000000Z" });
    passport->evidence.list = CHIP_LIST(passport->pool, issuer->csca);
}

/* A key of a kind that no passport has. */
static chip_key_t strange_key(apr_pool_t *pool)
{
    chip_key_t key = { .key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"),
                       .digest = "SHA256" };

    assert_non_null(key.key);
    apr_pool_cleanup_register(pool, key.key, free_chip_key,
                              apr_pool_cleanup_null);
    return key;
}

static void certify_strange_key(passport_t *passport)
{
    chip_issuer_t *issuer = &passport->issuer;

    issuer->signer = chip_certificate(
        passport->pool,
        &(chip_certificate_t){ .key = strange_key(passport->pool),
                               .issuer_key = issuer->csca_key,
                               .subject = "document signer",
                               .issuer = "csca" });
    chip_sign_dump(passport->pool, issuer, &passport->dump);
}

/* The passport of an organization that shares its code with others. */
static void issue_by_organization(passport_t *passport)
{
    char *zone = apr_pstrdup(passport->pool, CHIP_ZONE);

    memcpy(zone + 2, "XOM", 3);
    passport->dump.files[IDV_CHIP_DG1] = chip_dg1(passport->pool, zone);
    chip_sign_dump(passport->pool, &passport->issuer, &passport->dump);
}

/* The right key on a chip with another DG14 than the one that was sent. */
static void read_other_data(passport_t *passport)
{
    passport->chip.dg14 = with_other_byte(
        passport->pool, passport->dump.files[IDV_CHIP_DG14], 8);
    use_chip(passport);
}

static void revoke_signer(passport_t *passport)
{
    passport->rule.revocation = IDV_REVOCATION_REVOKED;
}

static void forget_revocation(passport_t *passport)
{
    passport->rule.revocation = IDV_REVOCATION_UNKNOWN;
}

static void announce_less(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_COM] =
        DER(passport->pool, 0x60,
            DER(passport->pool, 0x5C, BYTES("\x61\x75")));
}

static void contradict_birth(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG11] =
        DER(passport->pool, 0x6B,
            DER(passport->pool, 0x5F2B, BYTES("19640813")));
    chip_sign_dump(passport->pool, &passport->issuer, &passport->dump);
}

/* Each ends with its reason, its verdict and its error, and with what the
 * summary may still say. */
static void alterations_end_with_their_reason(void **state)
{
    static const struct {
        void (*alter)(passport_t *passport);
        idv_passport_reason_t reason;
        idv_method_verdict_t verdict;
        const char *error;
        int data_proven, chip_proven;
    } rows[] = {
        { swap_zone, R(DATA_GROUP_HASH_WRONG), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { swap_portrait, R(DATA_GROUP_HASH_WRONG), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { swap_active_key, R(DATA_GROUP_HASH_WRONG), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { swap_active_key, R(ACTIVE_AUTHENTICATION_KEY_UNPROVEN),
          IDV_METHOD_FAILED, "document_unverified", 0, 0 },
        { sign_with_other_key, R(CHALLENGE_SIGNATURE_WRONG), IDV_METHOD_FAILED,
          "document_unverified", 1, 0 },
        { sign_with_other_key, R(CHIP_NOT_GENUINE), IDV_METHOD_FAILED,
          "document_unverified", 1, 0 },
        { swap_chip_key, R(CHIP_AUTHENTICATION_KEY_UNPROVEN),
          IDV_METHOD_FAILED, "document_unverified", 0, 0 },
        { replay_challenge, R(CHALLENGE_MISMATCH), IDV_METHOD_FAILED,
          "document_unverified", 1, 0 },
        { replay_signature, R(CHALLENGE_SIGNATURE_WRONG), IDV_METHOD_FAILED,
          "document_unverified", 1, 0 },
        { replay_relay, R(CHIP_KEY_WRONG), IDV_METHOD_FAILED,
          "document_unverified", 1, 0 },
        { trust_another, R(CSCA_UNKNOWN), IDV_METHOD_UNDETERMINED,
          "document_issuer_unknown", 0, 0 },
        { sign_by_another_state, R(ISSUING_STATE_MISMATCH), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { sign_for_another_state, R(ISSUING_STATE_MISMATCH), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { let_signer_expire, R(DOCUMENT_SIGNER_EXPIRED), IDV_METHOD_FAILED,
          "document_certificate_expired", 0, 0 },
        { let_signer_begin_later, R(DOCUMENT_SIGNER_NOT_YET_VALID),
          IDV_METHOD_FAILED, "document_unverified", 0, 0 },
        { let_csca_expire, R(CSCA_EXPIRED), IDV_METHOD_FAILED,
          "document_certificate_expired", 0, 0 },
        { let_csca_begin_later, R(CSCA_NOT_YET_VALID), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { certify_strange_key, R(DOCUMENT_SIGNER_KEY_UNSUPPORTED),
          IDV_METHOD_UNDETERMINED, "document_unverified", 0, 0 },
        { issue_by_organization, R(ISSUING_STATE_UNKNOWN),
          IDV_METHOD_UNDETERMINED, "document_issuer_unknown", 1, 1 },
        { read_other_data, R(CHIP_DATA_MISMATCH), IDV_METHOD_FAILED,
          "document_unverified", 1, 0 },
        { sign_for_other_types, R(DOCUMENT_TYPE_MISMATCH),
          IDV_METHOD_UNDETERMINED, "document_unverified", 1, 1 },
        { revoke_signer, R(DOCUMENT_SIGNER_REVOKED), IDV_METHOD_FAILED,
          "document_unverified", 0, 0 },
        { forget_revocation, R(REVOCATION_UNKNOWN), IDV_METHOD_UNDETERMINED,
          "document_unverified", 1, 1 },
        { announce_less, R(DATA_GROUP_NOT_ANNOUNCED), IDV_METHOD_UNDETERMINED,
          "document_unverified", 1, 1 },
        { contradict_birth, R(DATE_OF_BIRTH_CONTRADICTION),
          IDV_METHOD_UNDETERMINED, "document_unverified", 1, 1 },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        passport_t *passport = new_passport(pool);
        idv_method_outcome_t *outcome;

        rows[i].alter(passport);
        outcome = decide(passport);
        assert_reason(outcome, rows[i].reason);
        assert_int_equal(outcome->verdict, rows[i].verdict);
        assert_string_equal(outcome->last_error->code, rows[i].error);
        assert_int_equal(flag(outcome, "chip_passive_auth_passed"),
                         rows[i].data_proven);
        assert_int_equal(flag(outcome, "chip_active_auth_passed"),
                         rows[i].chip_proven);
        assert_int_equal(outcome->assurance, rows[i].data_proven
                                                 ? IDV_ASSURANCE_SIGNED
                                                 : IDV_ASSURANCE_DECODED);
        assert_false(flag(outcome, "age_verified"));
        assert_false(flag(outcome, "identity_verified"));
        assert_int_equal(outcome->doubts,
                         rows[i].reason == R(ISSUING_STATE_UNKNOWN)
                             ? 1u << IDV_DOUBT_NONCONFORMING
                         : rows[i].verdict == IDV_METHOD_UNDETERMINED
                             ? 1u << IDV_DOUBT_UNDETERMINED
                             : 0);
    }
}

/* --- proofs of the chip --- */

/* A chip with only one of the proofs, or none: one that has a key for active
 * authentication and proved nothing is in doubt, whatever the rule demands. */
static void one_proof_is_enough(void **state)
{
    apr_pool_t *pool = *state;

    for (int proofs = 0; proofs < 4; proofs++)
        for (int demanded = 0; demanded < 2; demanded++) {
            passport_t *passport = new_passport(pool);
            idv_method_outcome_t *outcome;

            if (!(proofs & 1))
                passport->dump.signature.length = 0;
            if (!(proofs & 2))
                passport->evidence.relay = NULL;
            passport->rule.require_genuine_chip = demanded;
            outcome = decide(passport);
            assert_int_equal(flag(outcome, "chip_active_auth_passed"),
                             proofs != 0);
            assert_true(flag(outcome, "chip_passive_auth_passed"));
            assert_int_equal(outcome->verdict,
                             proofs == 0 ? IDV_METHOD_UNDETERMINED
                                         : IDV_METHOD_PASSED);
            if (proofs == 0)
                assert_reason(outcome, R(CHIP_NOT_PROVEN_GENUINE));
            if (!(proofs & 1))
                assert_reason(outcome, R(ACTIVE_AUTHENTICATION_NOT_DONE));
            if (!(proofs & 2))
                assert_reason(outcome, R(CHIP_AUTHENTICATION_NOT_DONE));
            if (outcome->verdict == IDV_METHOD_UNDETERMINED)
                assert_string_equal(outcome->last_error->code,
                                    "chip_not_proven");
        }
}

static void proofs_that_are_not_ours_are_doubts(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);

    passport->evidence.challenge.length = 0;
    assert_reason(decide(passport), R(CHALLENGE_NOT_OURS));
    assert_int_equal(decide(passport)->verdict, IDV_METHOD_PASSED);
    passport->evidence.relay = NULL; /* as a recording is sent */
    assert_reason(decide(passport), R(CHALLENGE_NOT_OURS));
    assert_int_equal(decide(passport)->verdict, IDV_METHOD_UNDETERMINED);
    passport = new_passport(pool);
    passport->dump.challenge.length = 0; /* the server knows it */
    assert_string_equal(reason_in(decide(passport), C(ACTIVE_AUTHENTICATION)),
                        "passed");
    passport->answer.responses[0] = BYTES("\x6a\x80");
    assert_reason(decide(passport), R(CHIP_AUTHENTICATION_REFUSED));
    passport->relay.answer_count = 0;
    assert_reason(decide(passport), R(CHIP_AUTHENTICATION_NOT_DONE));
    passport->relay.answer_count = 99;
    assert_reason(decide(passport), R(CHIP_AUTHENTICATION_REFUSED));
    /* A key that cannot sign as passports do. */
    passport = new_passport(pool);
    passport->dump.files[IDV_CHIP_DG15] =
        DER(pool, 0x6F, chip_public_key(pool, strange_key(pool).key));
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_reason(decide(passport),
                  R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED));
    /* Files that the app kept to itself. */
    passport->dump.files[IDV_CHIP_DG14].length = 0;
    passport->dump.files[IDV_CHIP_DG15].length = 0;
    assert_reason(decide(passport), R(CHIP_AUTHENTICATION_NOT_DONE));
    assert_reason(decide(passport), R(ACTIVE_AUTHENTICATION_NOT_DONE));
    /* Files that the chip does not have. */
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    passport->dump.files[IDV_CHIP_COM].length = 0;
    assert_reason(decide(passport), R(CHIP_AUTHENTICATION_UNSUPPORTED));
    assert_reason(decide(passport), R(ACTIVE_AUTHENTICATION_UNSUPPORTED));
    assert_int_equal(decide(passport)->verdict, IDV_METHOD_PASSED);
}

static void unreadable_chips_are_read_again(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    passport->dump.files[IDV_CHIP_DG1] = BYTES("\x61\0");
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_UNREADABLE);
    assert_string_equal(outcome->hint, "chip_unreadable");
    assert_null(outcome->verification_result);
    assert_null(outcome->last_error);
    passport->dump.files[IDV_CHIP_DG1].length = 0;
    assert_string_equal(decide(passport)->hint, "chip_incomplete");
    passport = new_passport(pool);
    passport->dump.files[IDV_CHIP_SOD].length = 0;
    assert_string_equal(decide(passport)->hint, "chip_incomplete");
}

/* A security object that is none is no chip that was read badly. */
static void broken_security_objects_fail(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    passport->dump.files[IDV_CHIP_SOD] = BYTES("\x77\x02\x30\x00");
    outcome = decide(passport);
    assert_reason(outcome, R(SECURITY_OBJECT_MALFORMED));
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_false(flag(outcome, "chip_passive_auth_passed"));
}

/* The public chip of 2008: authentic, of a CSCA that nobody publishes. */
static void the_public_chip_is_in_doubt(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    memset(&passport->dump, 0, sizeof(passport->dump));
    passport->dump.files[IDV_CHIP_SOD] =
        public_file(pool, "bsi-2008/EF_SOD.bin");
    passport->dump.files[IDV_CHIP_DG1] =
        public_file(pool, "bsi-2008/Datagroup1.bin");
    passport->dump.files[IDV_CHIP_DG2] =
        public_file(pool, "bsi-2008/Datagroup2.bin");
    passport->dump.files[IDV_CHIP_DG14] =
        public_file(pool, "bsi-2008/Datagroup14.bin");
    passport->evidence.relay = NULL;
    passport->evidence.now = passport->rule.document.now =
        1220000000 * IDV_SECOND; /* August 2008 */
    outcome = decide(passport);
    assert_reason(outcome, R(CSCA_UNKNOWN));
    assert_reason(outcome, R(CHIP_AUTHENTICATION_NOT_DONE));
    assert_reason(outcome, R(ACTIVE_AUTHENTICATION_UNSUPPORTED));
    /* The holder was born in 1896 or 1996: the age is open. */
    assert_int_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
    assert_string_equal(outcome->last_error->code, "document_issuer_unknown");
    passport->rule.document.required_age = 12;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
    assert_string_equal(outcome->last_error->code, "document_issuer_unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_good_passport_passes),
        pooled_test(alterations_end_with_their_reason),
        pooled_test(one_proof_is_enough),
        pooled_test(proofs_that_are_not_ours_are_doubts),
        pooled_test(unreadable_chips_are_read_again),
        pooled_test(broken_security_objects_fail),
        pooled_test(the_public_chip_is_in_doubt),
    };

    return unit_run("passport/reading", tests);
}
