/* SPDX-License-Identifier: Apache-2.0 */
/* What the rule of the session says of a whole passport, what its files say
 * besides the zone, and what becomes of them as a recording. */
#include "unit/passport_whole.h"

#include <openssl/rsa.h>

static int is_note(const idv_method_outcome_t *outcome,
                   idv_passport_check_t check)
{
    for (int i = 0; i < outcome->check_count; i++)
        if (strcmp(outcome->checks[i].name, idv_passport_check_code(check)) == 0)
            return outcome->checks[i].is_silent;
    return 0;
}

/* --- what the rule says --- */

static void the_rule_has_its_say(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    passport->rule.document.required_age = 62;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_string_equal(outcome->last_error->code, "under_age");
    assert_int_equal(outcome->facts.age, -1);
    assert_int_equal(outcome->facts.younger_than, 62);
    assert_true(flag(outcome, "identity_verified"));
    assert_false(flag(outcome, "age_verified"));
    passport->rule.document.required_age = 0;
    passport->rule.document.seen.document_of_another_person = 1;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
    assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_DOCUMENT_REUSED);
    assert_string_equal(outcome->last_error->code, "document_reused");
    assert_false(flag(outcome, "identity_verified"));
    /* A document that has expired, with a certificate that has, too. */
    passport = new_passport(pool);
    let_signer_expire(passport);
    passport->rule.document.now = CHIP_NOW + 300 * IDV_DAY;
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code, "document_expired");
    passport->rule.document.accept_expired = 1;
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code,
                        "document_certificate_expired");
    passport->rule.accept_expired_certificates = 1;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    passport->rule.revocation = IDV_REVOCATION_UNKNOWN;
    passport->rule.accept_unknown_revocation = 1;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_reason(outcome, R(REVOCATION_UNKNOWN));
    assert_true(is_note(outcome, C(CERTIFICATE_REVOCATION)));
    /* Data that were altered go before what they say. */
    passport->rule.document.required_age = 90;
    swap_portrait(passport);
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code, "document_unverified");
    assert_int_equal(outcome->facts.younger_than, 63);
    passport->rule.document.required_age = 60;
    outcome = decide(passport);
    assert_string_equal(outcome->last_error->code, "document_unverified");
    assert_int_equal(outcome->facts.younger_than, 0);
}

static void the_printed_zone_is_compared(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_document_t printed = *read_passport(passport)->document;
    idv_method_outcome_t *outcome;

    assert_null(reason_in(decide(passport), C(PRINTED_ZONE)));
    passport->rule.printed = &printed;
    outcome = decide(passport);
    assert_string_equal(reason_in(outcome, C(PRINTED_ZONE)), "passed");
    printed.surname = "MUSTEB"; /* no check digit, no contradiction */
    assert_int_equal(decide(passport)->verdict, IDV_METHOD_PASSED);
    printed.number = "C01X00T48";
    outcome = decide(passport);
    assert_reason(outcome, R(PRINTED_ZONE_MISMATCH));
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    printed = *read_passport(passport)->document;
    printed.date_of_birth.day++;
    assert_reason(decide(passport), R(PRINTED_ZONE_MISMATCH));
    printed = *read_passport(passport)->document;
    printed.issuing_country = NULL;
    assert_reason(decide(passport), R(PRINTED_ZONE_MISMATCH));
}

/* --- what the files say --- */

/* The zone of a person of 106 years is that of one of 6, too, so that the age
 * is open; DG11 settles it. */
static void details_settle_the_century(void **state)
{
    static const char zone[] = "P<D<<MUSTER<<ERIKA<<<<<<<<<<<<<<<<<<<<<<<<<<"
                               "C01X00T478D<<2001012F2702283<<<<<<<<<<<<<<<0";
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);

    passport->dump.files[IDV_CHIP_DG1] = chip_dg1(pool, zone);
    passport->dump.files[IDV_CHIP_DG11].length = 0;
    passport->dump.files[IDV_CHIP_COM].length = 0;
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_string_equal(decide(passport)->last_error->code, "age_undetermined");
    passport->dump.files[IDV_CHIP_DG11] =
        DER(pool, 0x6B, DER(pool, 0x5F2B, BYTES("19200101")));
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_int_equal(decide(passport)->facts.age, 106);
    /* What is not signed settles nothing. */
    passport->dump.files[IDV_CHIP_DG11] =
        DER(pool, 0x6B, DER(pool, 0x5F2B, BYTES("18200101")));
    assert_int_equal(decide(passport)->facts.age, -1);
    assert_null(reason_in(decide(passport), C(DATE_OF_BIRTH_CROSS_CHECK)));
}

static void portraits_that_cannot_be_read_are_told(void **state)
{
    apr_pool_t *pool = *state;
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    passport->dump.files[IDV_CHIP_DG2] = BYTES("\x75\x02\x7f\x61");
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    outcome = decide(passport);
    assert_reason(outcome, R(PORTRAIT_UNREADABLE));
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    passport->dump.files[IDV_CHIP_DG2].length = 0;
    passport->dump.files[IDV_CHIP_COM].length = 0;
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    assert_null(reason_in(decide(passport), C(PORTRAIT)));
}

/* --- what a recording can bring about --- */

/* One key for all recordings: making it takes longer than a row. */
static chip_key_t recorded_key(apr_pool_t *pool)
{
    static EVP_PKEY *made;

    if (made == NULL)
        made = EVP_RSA_gen(2048);
    assert_non_null(made);
    assert_int_equal(EVP_PKEY_up_ref(made), 1);
    apr_pool_cleanup_register(pool, made, free_chip_key, apr_pool_cleanup_null);
    return (chip_key_t){ .key = made, .digest = "SHA256" };
}

/* A chip that signs by RSA alone, recorded: its files, and no private key. */
static passport_t *new_recording(apr_pool_t *pool)
{
    passport_t *passport = new_passport(pool);

    passport->active_key = recorded_key(pool);
    passport->dump.files[IDV_CHIP_DG15] =
        DER(pool, 0x6F, chip_public_key(pool, passport->active_key.key));
    chip_sign_dump(pool, &passport->issuer, &passport->dump);
    passport->dump.signature.length = 0;
    passport->evidence.relay = NULL;
    passport->rule.revocation = IDV_REVOCATION_UNKNOWN;
    passport->rule.accept_unknown_revocation = 1;
    return passport;
}

static int is_known_trailer(unsigned byte)
{
    return (byte >= 0x33 && byte <= 0x36) || byte == 0x38;
}

/* After s, which the public key opens as o, comes the next: s times step, which it opens
 * as o times the power of step. */
typedef struct {
    BIGNUM *n, *e, *s, *o, *step, *power;
    BN_CTX *context;
    BN_MONT_CTX *field;
} opened_t;

static opened_t begin_opened(const EVP_PKEY *key)
{
    opened_t it = { .s = BN_new(), .o = BN_new(), .step = BN_new(),
                    .power = BN_new(), .context = BN_CTX_new(),
                    .field = BN_MONT_CTX_new() };

    assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &it.n), 1);
    assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &it.e), 1);
    assert_int_equal(BN_MONT_CTX_set(it.field, it.n, it.context), 1);
    assert_int_equal(BN_rand_range(it.s, it.n), 1);
    assert_int_equal(BN_mod_exp(it.o, it.s, it.e, it.n, it.context), 1);
    assert_int_equal(BN_rand_range(it.step, it.n), 1);
    assert_int_equal(BN_mod_exp(it.power, it.step, it.e, it.n, it.context), 1);
    assert_int_equal(
        BN_to_montgomery(it.power, it.power, it.field, it.context), 1);
    return it;
}

static void end_opened(opened_t *it)
{
    BIGNUM *numbers[] = { it->n, it->e, it->s, it->o, it->step, it->power };

    for (size_t i = 0; i < LENGTH(numbers); i++)
        BN_free(numbers[i]);
    BN_MONT_CTX_free(it->field);
    BN_CTX_free(it->context);
}

/* A number that the public key opens as 6A ... xx CC with an xx that names a
 * hash function, or with one that names none: up to some hundred thousand numbers
 * are tried for it, one multiplication each, and no private key is needed. */
static idv_bytes_t craft_signature(passport_t *passport, int is_known)
{
    const EVP_PKEY *key = passport->active_key.key;
    int size = EVP_PKEY_get_size(key);
    unsigned char *signature = apr_palloc(passport->pool, (size_t)size);
    unsigned char opened[512];
    opened_t it = begin_opened(key);
    BIGNUM *tried = BN_new(), *shown = BN_new();

    do {
        assert_int_equal(BN_mod_mul_montgomery(it.o, it.o, it.power, it.field,
                                               it.context), 1);
        assert_int_equal(BN_add_word(tried, 1), 1);
        assert_non_null(BN_copy(shown, it.o));
        if (BN_mod_word(it.o, 16) != 0xc)
            assert_int_equal(BN_sub(shown, it.n, it.o), 1);
        assert_int_equal(BN_bn2binpad(shown, opened, size), size);
    } while (opened[0] != 0x6a || opened[size - 1] != 0xcc
             || is_known_trailer(opened[size - 2]) != is_known);
    assert_int_equal(BN_mod_exp(it.step, it.step, tried, it.n, it.context), 1);
    assert_int_equal(BN_mod_mul(it.s, it.s, it.step, it.n, it.context), 1);
    /* It is what the key opens as that. */
    assert_int_equal(BN_mod_exp(shown, it.s, it.e, it.n, it.context), 1);
    assert_int_equal(BN_cmp(shown, it.o), 0);
    assert_int_equal(BN_bn2binpad(it.s, signature, size), size);
    BN_free(tried);
    BN_free(shown);
    end_opened(&it);
    return (idv_bytes_t){ signature, (apr_size_t)size };
}

static void send_no_signature(passport_t *passport)
{
    passport->dump.signature.length = 0;
}

static void send_unknown_trailer(passport_t *passport)
{
    passport->dump.signature = craft_signature(passport, 0);
}

static void send_known_trailer(passport_t *passport)
{
    passport->dump.signature = craft_signature(passport, 1);
}

static void send_other_length(passport_t *passport)
{
    passport->dump.signature = BYTES("\x01\x02");
}

static void send_zeroes(passport_t *passport)
{
    passport->dump.signature = (idv_bytes_t){
        apr_pcalloc(passport->pool, 256), 256 };
}

static void ask_for_no_challenge(passport_t *passport)
{
    send_unknown_trailer(passport);
    passport->evidence.challenge.length = 0;
}

static void name_another_challenge(passport_t *passport)
{
    send_unknown_trailer(passport);
    passport->dump.challenge = BYTES("\x08\x07\x06\x05\x04\x03\x02\x01");
}

static void keep_active_key_back(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG15].length = 0;
}

static void keep_all_keys_back(passport_t *passport)
{
    keep_active_key_back(passport);
    passport->dump.files[IDV_CHIP_DG14].length = 0;
    passport->dump.files[IDV_CHIP_COM].length = 0;
}

static void send_own_key(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG15] =
        DER(passport->pool, 0x6F,
            chip_public_key(passport->pool,
                            chip_key(passport->pool, "RSA", "SHA256").key));
}

static void send_key_cut_off(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG15].length -= 1;
}

/* With CONTENT as its key for active authentication, by what its state signed.
 */
static void have_key(passport_t *passport, idv_bytes_t content)
{
    passport->dump.files[IDV_CHIP_DG15] = DER(passport->pool, 0x6F, content);
    chip_sign_dump(passport->pool, &passport->issuer, &passport->dump);
    passport->dump.signature = BYTES("\x01\x02");
}

static void have_key_on_unknown_curve(passport_t *passport)
{
    have_key(passport,
             chip_public_key(passport->pool,
                             chip_key(passport->pool, "secp160r1", "SHA1").key));
}

static void have_key_on_written_curve(passport_t *passport)
{
    passport->active_key =
        chip_key_explicit(passport->pool, "brainpoolP256r1", "SHA256");
    have_key(passport, chip_public_key(passport->pool,
                                       passport->active_key.key));
}

static void have_small_key(passport_t *passport)
{
    EVP_PKEY *key = EVP_RSA_gen(768);

    assert_non_null(key);
    have_key(passport, chip_public_key(passport->pool, key));
    EVP_PKEY_free(key);
}

static void have_no_key_at_all(passport_t *passport)
{
    have_key(passport, BYTES("\x30\x03\x02\x01\x01"));
}

static void have_unknown_algorithm(passport_t *passport)
{
    passport->dump.files[IDV_CHIP_DG14] =
        relay_dg14(passport->pool, &passport->way, 1, BYTES("\x2a\x03"));
    have_key(passport,
             chip_public_key(passport->pool,
                             chip_key(passport->pool, "P-256", "SHA256").key));
}

/* Whoever has the files of a chip that has a key to prove itself with, and not
 * that key, passes by nothing that he may send with them, whatever the rule
 * demands, and whether he lets the relay be or answers it as he can. */
static void recordings_pass_in_no_way(void **state)
{
    static const struct {
        void (*send)(passport_t *passport);
        idv_passport_reason_t reason;
        idv_method_verdict_t verdict;
    } rows[] = {
        { send_no_signature, R(ACTIVE_AUTHENTICATION_NOT_DONE),
          IDV_METHOD_UNDETERMINED },
        { send_unknown_trailer, R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED),
          IDV_METHOD_UNDETERMINED },
        { send_known_trailer, R(CHALLENGE_SIGNATURE_WRONG), IDV_METHOD_FAILED },
        { send_other_length, R(CHALLENGE_SIGNATURE_WRONG), IDV_METHOD_FAILED },
        { send_zeroes, R(CHALLENGE_SIGNATURE_WRONG), IDV_METHOD_FAILED },
        { ask_for_no_challenge, R(CHALLENGE_NOT_OURS),
          IDV_METHOD_UNDETERMINED },
        { name_another_challenge, R(CHALLENGE_MISMATCH), IDV_METHOD_FAILED },
        { keep_active_key_back, R(ACTIVE_AUTHENTICATION_NOT_DONE),
          IDV_METHOD_UNDETERMINED },
        { keep_all_keys_back, R(ACTIVE_AUTHENTICATION_NOT_DONE),
          IDV_METHOD_UNDETERMINED },
        { send_own_key, R(ACTIVE_AUTHENTICATION_KEY_UNPROVEN),
          IDV_METHOD_FAILED },
        { send_key_cut_off, R(ACTIVE_AUTHENTICATION_KEY_UNPROVEN),
          IDV_METHOD_FAILED },
        { have_key_on_unknown_curve,
          R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED),
          IDV_METHOD_UNDETERMINED },
        { have_key_on_written_curve, R(CHALLENGE_SIGNATURE_WRONG),
          IDV_METHOD_FAILED },
        { have_small_key, R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED),
          IDV_METHOD_UNDETERMINED },
        { have_no_key_at_all, R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED),
          IDV_METHOD_UNDETERMINED },
        { have_unknown_algorithm,
          R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED),
          IDV_METHOD_UNDETERMINED },
    };
    static const idv_chip_answer_t refusal = { .count = 1,
                                               .responses = { { NULL, 0 } } };
    static const idv_chip_relay_t refused = { .seed = seed,
                                              .answers = &refusal,
                                              .answer_count = 1 };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        passport_t *passport = new_recording(pool);

        rows[i].send(passport);
        for (int relayed = 0; relayed < 2; relayed++) {
            idv_method_outcome_t *outcome;

            passport->evidence.relay = relayed ? &refused : NULL;
            outcome = decide(passport);
            assert_reason(outcome, rows[i].reason);
            assert_false(is_note(outcome, C(ACTIVE_AUTHENTICATION)));
            if (outcome->verdict != rows[i].verdict)
                fail_msg("row %d: %d", (int)i, outcome->verdict);
            assert_false(flag(outcome, "chip_active_auth_passed"));
            assert_false(flag(outcome, "age_verified"));
            assert_false(flag(outcome, "identity_verified"));
        }
    }
}

/* The key of DG14 proves a chip whose other key cannot be checked. */
static void the_relay_proves_what_cannot_sign(void **state)
{
    passport_t *passport = new_recording(*state);

    send_unknown_trailer(passport);
    passport->evidence.relay = &passport->relay;
    assert_reason(decide(passport),
                  R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED));
    assert_int_equal(decide(passport)->verdict, IDV_METHOD_PASSED);
    assert_true(is_note(decide(passport), C(ACTIVE_AUTHENTICATION)));
}

/* Nor is one a doubt that was not done, or is not there, where the other passed. */
static void one_proof_is_enough(void **state)
{
    passport_t *passport = new_passport(*state);
    idv_method_outcome_t *outcome;

    passport->evidence.relay = NULL;
    outcome = decide(passport);
    assert_string_equal(reason_in(outcome, C(CHIP_CLONING)), "passed");
    assert_reason(outcome, R(CHIP_AUTHENTICATION_NOT_DONE));
    assert_true(is_note(outcome, C(CHIP_AUTHENTICATION)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(the_rule_has_its_say),
        pooled_test(the_printed_zone_is_compared),
        pooled_test(details_settle_the_century),
        pooled_test(portraits_that_cannot_be_read_are_told),
        pooled_test(recordings_pass_in_no_way),
        pooled_test(the_relay_proves_what_cannot_sign),
        pooled_test(one_proof_is_enough),
    };

    return unit_run("passport/rule", tests);
}
