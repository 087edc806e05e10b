/* SPDX-License-Identifier: Apache-2.0 */
/* Security objects that are written otherwise than the standard says, and are
 * their issuer's all the same. */
#include "unit/passport_authenticate.h"

#include "methods/passport/deviations.h"
#include "methods/passport/signed_data.h"

/* What the content is tells the content: other types and versions are notes. */
static void other_types_and_versions_are_notes(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_chip_dump_t dump = plain_dump(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);
    const struct {
        idv_bytes_t type;
        int version;
    } rows[] = {
        { CHIP_TYPE_SOD, 1 },
        { CHIP_TYPE_SOD, 4 },
        { CHIP_TYPE_DATA, 3 },
        { CHIP_TYPE_DATA, 1 },
        { CHIP_TYPE_MASTER_LIST, 3 },
        { BYTES("\x2b\x1b\x01\x01\x01"), 3 }, /* of the first chips */
        { BYTES("\x2a\x03"), 5 },
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        chip_signed_data_t spec = chip_sod_spec(pool, &issuer, &dump, 0);
        idv_passport_checks_t checks;

        spec.content_type = rows[i].type;
        spec.version = rows[i].version;
        dump.files[IDV_CHIP_SOD] =
            DER(pool, 0x77, chip_signed_data(pool, &spec));
        checks = authenticate(pool, &dump, list);
        assert_int_equal(
            checks.is_made[C(SECURITY_OBJECT_TYPE)],
            !idv_bytes_equal(rows[i].type, CHIP_TYPE_SOD));
        assert_int_equal(checks.is_made[C(SECURITY_OBJECT_VERSION)],
                         rows[i].version != 3);
        checks.is_made[C(SECURITY_OBJECT_TYPE)] = 0;
        checks.is_made[C(SECURITY_OBJECT_VERSION)] = 0;
        assert_passed(&checks);
    }
}

/* The SignerInfo of ISSUER over what SPEC signs, and its certificate behind those
 * of SPEC. */
static idv_bytes_t sign_too(apr_pool_t *pool, chip_signed_data_t *spec,
                            const chip_issuer_t *issuer)
{
    chip_signed_data_t other = *spec;

    other.certificate = issuer->signer;
    other.signer = issuer->signer_key;
    spec->certificates = JOIN(pool, spec->certificates, issuer->signer);
    return chip_signer_info(pool, &other);
}

/* 9303-10, 4.6.2.2: several signers are allowed. Whoever stands first, one that
 * verifies is enough; where none does, the first is told of. */
static void one_signer_of_several_is_enough(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    chip_issuer_t stranger = chip_plain_issuer(pool);
    idv_chip_dump_t dump = plain_dump(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);

    for (int i = 0; i < 4; i++) {
        chip_signed_data_t spec = chip_sod_spec(pool, &issuer, &dump, 0);
        idv_bytes_t infos = BYTES("");
        idv_passport_checks_t checks;

        if (i < 3) /* a stranger's, or the issuer's own, stands before it */
            infos = sign_too(pool, &spec, i == 2 ? &issuer : &stranger);
        if (i == 1) /* and one that is altered */
            infos = JOIN(pool, with_other_byte(pool, infos,
                                               (int)infos.length - 3),
                         infos);
        if (i == 3) /* more than anybody has */
            for (int k = 0; k < IDV_SIGNED_DATA_SIGNERS_MAX; k++)
                infos = JOIN(pool, infos, chip_signer_info(pool, &spec));
        spec.signers_before = infos;
        dump.files[IDV_CHIP_SOD] =
            DER(pool, 0x77, chip_signed_data(pool, &spec));
        checks = authenticate(pool, &dump, list);
        if (i == 3) {
            assert_only(&checks, R(SECURITY_OBJECT_MALFORMED));
            continue;
        }
        assert_only(&checks, R(SEVERAL_SIGNERS));
        checks = authenticate(pool, &dump, CHIP_LIST(pool, stranger.csca));
        assert_int_equal(checks.reasons[C(CERTIFICATE_CHAIN)],
                         i == 2 ? R(CSCA_UNKNOWN) : R(NONE));
        checks = authenticate(pool, &dump, idv_csca_list_create(pool));
        assert_int_equal(checks.reasons[C(CERTIFICATE_CHAIN)], R(CSCA_UNKNOWN));
        dump.files[IDV_CHIP_DG2] = BYTES("\x75\0");
        checks = authenticate(pool, &dump, list);
        assert_int_equal(checks.reasons[C(DATA_GROUP_HASHES)],
                         R(DATA_GROUP_HASH_WRONG));
        dump = plain_dump(pool);
    }
}

/* KEY, of RSA, as one that says that it is for RSA-PSS only. */
static chip_key_t restricted(apr_pool_t *pool, const chip_key_t *key)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA-PSS", NULL);
    OSSL_PARAM *numbers;
    chip_key_t found = *key;

    assert_int_equal(EVP_PKEY_todata(key->key, EVP_PKEY_PUBLIC_KEY, &numbers), 1);
    assert_int_equal(EVP_PKEY_fromdata_init(context), 1);
    found.key = NULL;
    assert_int_equal(EVP_PKEY_fromdata(context, &found.key, EVP_PKEY_PUBLIC_KEY,
                                       numbers),
                     1);
    OSSL_PARAM_free(numbers);
    EVP_PKEY_CTX_free(context);
    apr_pool_cleanup_register(pool, found.key, free_chip_key,
                              apr_pool_cleanup_null);
    return found;
}

/* Turkish cards: the certificate's key is for RSA-PSS, the signature is of
 * PKCS #1 v1.5. It is the issuer's all the same, and only then. */
static void a_key_for_pss_may_sign_otherwise(void **state)
{
    apr_pool_t *pool = *state;
    chip_key_t rsa = chip_key(pool, "RSA", "SHA256");
    chip_key_t pss = { rsa.key, "SHA256", .is_pss = 1 };
    chip_issuer_t issuer = chip_issuer(pool, chip_key(pool, "P-256", "SHA256"),
                                       restricted(pool, &rsa));
    idv_chip_dump_t dump = plain_dump(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);
    idv_passport_checks_t checks;

    issuer.signer_key = rsa;
    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, list);
    assert_only(&checks, R(SIGNATURE_SCHEME_UNUSUAL));
    issuer.signer_key = pss;
    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, list);
    assert_passed(&checks);
    issuer.signer_key = chip_key(pool, "RSA", "SHA256");
    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, list);
    assert_only(&checks, R(SIGNATURE_WRONG));
    /* So does a CSCA: nobody is called a forger for it, and nothing is proved. */
    issuer = chip_issuer(pool, rsa, chip_key(pool, "P-256", "SHA256"));
    chip_sign_dump(pool, &issuer, &dump);
    list = idv_csca_list_create(pool);
    assert_null(idv_csca_list_add(
        list,
        chip_certificate(pool, &(chip_certificate_t){
                                   .key = restricted(pool, &rsa),
                                   .issuer_key = rsa,
                                   .subject = "csca",
                                   .issuer = "csca",
                                   .is_authority = 1 }),
        "list", NULL));
    checks = authenticate(pool, &dump, list);
    assert_only(&checks, R(CSCA_KEY_UNSUPPORTED));
}

/* Every deviation has a code of its own, by which it is counted. */
static void deviations_are_counted_by_their_codes(void **state)
{
    _Atomic long long counters[IDV_DEVIATIONS] = {0};
    int count = 0;

    (void)state;
    for (int i = 0; i < IDV_DEVIATIONS; i++) {
        const char *code = idv_deviation_code(i);
        const idv_method_check_t check = {"any", IDV_CHECK_UNDETERMINED, code,
                                          0};
        const idv_method_outcome_t outcome = {.checks = &check,
                                              .check_count = 1};

        if (!code)
            continue;
        count++;
        idv_deviations_count(&outcome, counters);
        assert_int_equal(counters[i], 1);
    }
    assert_true(count > 30);
    assert_null(idv_deviation_code(0));
    assert_null(idv_deviation_code(IDV_DEVIATIONS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(other_types_and_versions_are_notes),
        pooled_test(one_signer_of_several_is_enough),
        pooled_test(a_key_for_pss_may_sign_otherwise),
        pooled_test(deviations_are_counted_by_their_codes),
    };

    return unit_run("passport/deviations", tests);
}
