/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chips of issuers that write otherwise than the standard says: nobody is a
 * forger for it, as long as a signature proves what is written.
 */
#include "unit/passport_whole.h"

#include <glob.h>

#include <openssl/pem.h>

#include "methods/passport/active_authentication.h"

#define CASES "../shared/cases/wallets"
#define NONCONFORMING (1u << IDV_DOUBT_NONCONFORMING)

/* --- zones --- */

static int value_of(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'A' && letter <= 'Z' ? letter - 'A' + 10
                                            : 0;
}

/* The digit of 9303-3, 4.9, over COUNT pieces {start, length} of ROW. */
static char digit_of(const char *row, const int (*pieces)[2], int count)
{
    static const int weights[] = { 7, 3, 1 };
    int sum = 0, at = 0;

    for (int i = 0; i < count; i++)
        for (int k = 0; k < pieces[i][1]; k++)
            sum += weights[at++ % 3] * value_of(row[pieces[i][0] + k]);
    return (char)('0' + sum % 10);
}

/* Makes the check digits of ZONE, a passport's, right. */
static void set_digits(char *zone)
{
    static const int number[][2] = { { 0, 9 } }, birth[][2] = { { 13, 6 } },
                     expiry[][2] = { { 21, 6 } }, rest[][2] = { { 28, 14 } },
                     all[][2] = { { 0, 10 }, { 13, 7 }, { 21, 22 } };
    char *row = zone + 44;

    row[9] = digit_of(row, number, 1);
    row[19] = digit_of(row, birth, 1);
    row[27] = digit_of(row, expiry, 1);
    row[42] = digit_of(row, rest, 1);
    row[43] = digit_of(row, all, 3);
}

static void write_zone(passport_t *passport, int at, const char *text,
                       int keeps_digits)
{
    char *zone = apr_pstrdup(passport->pool, CHIP_ZONE);

    memcpy(zone + at, text, strlen(text));
    if (!keeps_digits)
        set_digits(zone);
    passport->dump.files[IDV_CHIP_DG1] = chip_dg1(passport->pool, zone);
    chip_sign_dump(passport->pool, &passport->issuer, &passport->dump);
}

#define ROW(column) (44 + (column))

static const struct {
    const char *name;
    int at;
    const char *text;
    int keeps_digits;
} zones[] = {
    { "no surname", 5, "<<ERIKA<<<<<<<<<<<<<<<<", 0 },
    { "no names", 5, "<<<<<<<<<<<<<<<<<<<<<<<", 0 },
    { "a digit in a name", 5, "MUST3R", 0 },
    { "no expiry", ROW(21), "<<<<<<", 0 },
    { "an expiry that is no day", ROW(21), "279940", 0 },
    { "Kosovo", ROW(10), "XKX", 0 },
    { "Romania, formerly", ROW(10), "ROM", 0 },
    { "Zaire", ROW(10), "ZAR", 0 },
    { "Yugoslavia", ROW(10), "YUG", 0 },
    { "UNMIK", ROW(10), "UNK", 0 },
    { "nobody's", ROW(10), "QQQ", 0 },
    { "filler within a number", ROW(0), "C01<X00T4", 0 },
    { "another sex", ROW(20), "H", 0 },
    { "a wrong check digit", ROW(43), "9", 1 },
    { "a strange second letter", 1, "V", 0 },
};

static void nobody_is_a_forger_by_what_the_state_signed(void **state)
{
    for (size_t i = 0; i < LENGTH(zones); i++) {
        passport_t *passport = new_passport(*state);
        idv_method_outcome_t *outcome;

        write_zone(passport, zones[i].at, zones[i].text,
                   zones[i].keeps_digits);
        outcome = decide(passport);
        if (outcome->verdict == IDV_METHOD_FAILED)
            fail_msg("%s: %s", zones[i].name, outcome->last_error->code);
        if (outcome->verdict == IDV_METHOD_UNDETERMINED) {
            assert_int_equal(outcome->doubts, NONCONFORMING);
            assert_string_equal(outcome->last_error->code,
                                "document_undetermined");
        }
        assert_true(flag(outcome, "chip_passive_auth_passed"));
        assert_true(flag(outcome, "identity_verified"));
        assert_int_equal(outcome->facts.age, 61);
        /* The same of a chip whose data nobody vouches for. */
        swap_portrait(passport);
        outcome = decide(passport);
        assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
        assert_string_equal(outcome->last_error->code, "document_unverified");
        assert_false(flag(outcome, "identity_verified"));
    }
}

/* What the session demands does not hang on how it is written. */
static void deviations_excuse_nothing(void **state)
{
    passport_t *passport = new_passport(*state);
    idv_method_outcome_t *outcome;

    write_zone(passport, ROW(10), "ROM", 0);
    passport->rule.document.required_age = 90;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_string_equal(outcome->last_error->code, "under_age");
    passport->rule.document.required_age = 18;
    passport->rule.document.now = CHIP_NOW + 300 * IDV_DAY;
    outcome = decide(passport);
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_string_equal(outcome->last_error->code, "document_expired");
}

/* --- signatures --- */

static void a_signature_in_der_proves_the_chip(void **state)
{
    static const char *const curves[] = { "P-256", "P-384", "P-521",
                                          "brainpoolP256r1" };

    for (size_t i = 0; i < LENGTH(curves); i++) {
        passport_t *passport = new_passport(*state);
        chip_key_t key = chip_key(*state, curves[i], "SHA256");
        idv_method_outcome_t *outcome;

        passport->active_key = key;
        passport->dump.files[IDV_CHIP_DG15] =
            DER(*state, 0x6F, chip_public_key(*state, key.key));
        chip_sign_dump(*state, &passport->issuer, &passport->dump);
        passport->dump.signature =
            chip_sign(*state, &key, passport->dump.challenge);
        outcome = decide(passport);
        assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
        assert_string_equal(reason_in(outcome, C(ACTIVE_AUTHENTICATION)),
                            "passed");
        assert_reason(outcome, R(CHALLENGE_SIGNATURE_IN_DER));
        assert_true(flag(outcome, "chip_active_auth_passed"));
        assert_true(flag(outcome, "identity_verified"));
        /* Of another challenge, or with one byte more. */
        passport->dump.signature =
            chip_sign(*state, &key, BYTES("\1\2\3\4\5\6\7\x09"));
        assert_reason(decide(passport), R(CHALLENGE_SIGNATURE_WRONG));
        passport->dump.signature =
            JOIN(*state, chip_sign(*state, &key, passport->dump.challenge),
                 BYTES("\0"));
        assert_reason(decide(passport), R(CHALLENGE_SIGNATURE_WRONG));
    }
}

/* Notes change no verdict; what is not proved as it should be is a doubt. */
static void security_objects_deviate(void **state)
{
    for (int i = 0; i < 4; i++) {
        passport_t *passport = new_passport(*state);
        chip_signed_data_t spec = chip_sod_spec(*state, &passport->issuer,
                                                &passport->dump, 0);
        idv_method_outcome_t *outcome;

        if (i == 0)
            spec.content_type = BYTES("\x2b\x1b\x01\x01\x01");
        if (i == 1)
            spec.content_type = CHIP_TYPE_DATA;
        if (i <= 2)
            spec.version = i == 0 ? 3 : 1;
        if (i == 3)
            spec.signers_before = chip_signer_info(*state, &spec);
        passport->dump.files[IDV_CHIP_SOD] =
            DER(*state, 0x77, chip_signed_data(*state, &spec));
        outcome = decide(passport);
        assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
        assert_true(flag(outcome, "chip_passive_auth_passed"));
        assert_true(flag(outcome, "identity_verified"));
        assert_reason(outcome, i == 3   ? R(SEVERAL_SIGNERS)
                               : i == 2 ? R(SECURITY_OBJECT_VERSION_UNUSUAL)
                                        : R(SECURITY_OBJECT_TYPE_UNUSUAL));
    }
}

/* --- the inputs that were handed over --- */

static idv_bytes_t decoded(const json_t *object, const char *key, apr_pool_t *pool)
{
    const char *text = json_string_value(json_object_get(object, key));
    unsigned char *bytes;
    int length;

    if (!text)
        return BYTES("");
    bytes = apr_palloc(pool, strlen(text));
    length = EVP_DecodeBlock(bytes, (const unsigned char *)text,
                             (int)strlen(text));
    for (size_t at = strlen(text); at > 0 && text[at - 1] == '='; at--)
        length--;
    return (idv_bytes_t){ bytes, (apr_size_t)length };
}

static idv_bytes_t of_hexadecimal(const json_t *object, const char *key,
                                  apr_pool_t *pool)
{
    const char *text = json_string_value(json_object_get(object, key));
    unsigned char *bytes = apr_palloc(pool, strlen(text) / 2 + 1);

    for (size_t i = 0; i < strlen(text) / 2; i++)
        assert_int_equal(sscanf(text + 2 * i, "%2hhx", &bytes[i]), 1);
    return (idv_bytes_t){ bytes, strlen(text) / 2 };
}

static idv_csca_list_t *list_of(const char *pem, apr_pool_t *pool)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    idv_csca_list_t *list = idv_csca_list_create(pool);
    unsigned char *der = NULL;
    int length = i2d_X509(certificate, &der);

    assert_null(idv_csca_list_add(
        list,
        (idv_bytes_t){ apr_pmemdup(pool, der, (apr_size_t)length),
                       (apr_size_t)length },
        "case", NULL));
    OPENSSL_free(der);
    X509_free(certificate);
    BIO_free(bio);
    return list;
}

static void a_dump_ends_as_described(const char *path, const json_t *root,
                                     apr_pool_t *pool)
{
    const json_t *files = json_object_get(root, "dump");
    passport_t *passport = new_passport(pool);
    idv_method_outcome_t *outcome;

    memset(&passport->dump, 0, sizeof(passport->dump));
    passport->dump.reader = "case";
    passport->dump.files[IDV_CHIP_SOD] = decoded(files, "SOD", pool);
    passport->dump.files[IDV_CHIP_COM] = decoded(files, "COM", pool);
    passport->dump.files[IDV_CHIP_DG1] = decoded(files, "DG1", pool);
    passport->dump.files[IDV_CHIP_DG2] = decoded(files, "DG2", pool);
    passport->evidence.list = list_of(
        json_string_value(json_object_get(root, "csca_pem")), pool);
    passport->evidence.relay = NULL;
    outcome = decide(passport);
    print_message("# %s: %d\n", path, outcome->verdict);
    if (outcome->verdict != IDV_METHOD_PASSED
        && (outcome->verdict != IDV_METHOD_UNDETERMINED
            || outcome->doubts != NONCONFORMING))
        fail_msg("%s: %s", path, outcome->last_error->code);
    assert_true(flag(outcome, "chip_passive_auth_passed"));
    assert_true(flag(outcome, "identity_verified"));
    if (strstr(path, "/p16_") || strstr(path, "/p18_") || strstr(path, "/p3_"))
        assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
}

static void a_challenge_ends_as_described(const json_t *root, apr_pool_t *pool)
{
    static const char *const signatures[] = { "signature_der_even",
                                              "signature_der_any" };
    idv_bytes_t key, nonce = of_hexadecimal(root, "nonce", pool);

    assert_null(idv_dg15_read(of_hexadecimal(root, "dg15", pool), &key, pool));
    for (size_t i = 0; i < LENGTH(signatures); i++)
        assert_int_equal(
            idv_challenge_verify(key, BYTES(""), nonce,
                                 of_hexadecimal(root, signatures[i], pool),
                                 pool),
            IDV_CHALLENGE_SIGNED_IN_DER);
}

static void the_cases_end_as_described(void **state)
{
    glob_t found;

    if (glob(CASES "/p*.json", 0, NULL, &found) != 0) {
        print_message("# no inputs in " CASES "\n");
        skip();
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const json_t *root = idv_json_own(
            json_load_file(found.gl_pathv[i], 0, NULL), *state);

        assert_non_null(root);
        if (json_object_get(root, "dump"))
            a_dump_ends_as_described(found.gl_pathv[i], root, *state);
        else
            a_challenge_ends_as_described(root, *state);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(nobody_is_a_forger_by_what_the_state_signed),
        pooled_test(deviations_excuse_nothing),
        pooled_test(a_signature_in_der_proves_the_chip),
        pooled_test(security_objects_deviate),
        pooled_test(the_cases_end_as_described),
    };

    return unit_run("passport/conformity", tests);
}
