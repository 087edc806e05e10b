/* SPDX-License-Identifier: Apache-2.0 */
/* Passive authentication: issuers of every kind that states have, and every way
 * in which somebody could come between. */
#include "unit/passport_authenticate.h"

static void a_plain_chip_is_authentic(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_chip_dump_t dump = plain_dump(pool);
    idv_passport_checks_t checks;

    dump.files[IDV_CHIP_COM] =
        DER(pool, 0x60, DER(pool, 0x5C, BYTES("\x61\x75")));
    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_passed(&checks);
    assert_int_equal(
        idv_passport_checks_state(&checks, C(DATA_GROUP_LIST)),
        IDV_PASSPORT_PASSED);
    assert_int_equal(told.matched, 1u << 1 | 1u << 2);
    assert_int_equal(told.listed, told.matched);
    assert_int_equal(told.lds_version, 0);
    assert_string_equal(told.signer.country, "DE");
    assert_string_equal(told.csca->source, "list 2026-01");
    /* The issuing state is looked at by others. */
    assert_false(idv_passport_checks_prove_data(&checks));
    idv_passport_checks_pass(&checks, C(ISSUING_STATE));
    assert_true(idv_passport_checks_prove_data(&checks));
}

/* Kinds of keys, of the CSCA and of the document signer. */
static void issuers_sign_in_many_ways(void **state)
{
    apr_pool_t *pool = *state;
    chip_key_t rsa = chip_key(pool, "RSA", "SHA256");
    chip_key_t pss = { rsa.key, "SHA256", .is_pss = 1 };
    chip_key_t old_pss = { rsa.key, "SHA1", .is_pss = 1 };
    chip_key_t old = { rsa.key, "SHA1", .is_pss = 0 };
    chip_key_t bare = { rsa.key, "SHA256", .names_key_only = 1 };
    chip_key_t curve = chip_key(pool, "P-256", "SHA256");
    chip_key_t bare_curve = { curve.key, "SHA256", .names_key_only = 1 };
    const struct {
        chip_key_t csca;
        chip_key_t signer;
    } rows[] = {
        { rsa, chip_key(pool, "P-256", "SHA256") },
        { chip_key(pool, "P-384", "SHA384"), rsa },
        { chip_key(pool, "P-521", "SHA512"), chip_key(pool, "P-224", "SHA224") },
        { chip_key(pool, "P-256", "SHA1"), chip_key(pool, "P-256", "SHA1") },
        { chip_key(pool, "brainpoolP384r1", "SHA384"),
          chip_key(pool, "brainpoolP256r1", "SHA256") },
        { chip_key_explicit(pool, "P-256", "SHA256"),
          chip_key_explicit(pool, "P-384", "SHA384") },
        { chip_key_explicit(pool, "brainpoolP512r1", "SHA512"),
          chip_key_explicit(pool, "brainpoolP224r1", "SHA224") },
        { pss, pss },
        { rsa, old_pss },
        { old, bare },
        { pss, bare_curve },
    };
    idv_chip_dump_t dump = plain_dump(pool);

    for (size_t i = 0; i < LENGTH(rows); i++) {
        chip_issuer_t issuer =
            chip_issuer(pool, rows[i].csca, rows[i].signer);
        idv_passport_checks_t checks;

        chip_sign_dump(pool, &issuer, &dump);
        checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
        assert_passed(&checks);
    }
}

/* What genuine security objects do that a strict reader would refuse. */
static void security_objects_have_liberties(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_chip_dump_t dump = plain_dump(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);

    for (int i = 0; i < 7; i++) {
        chip_signed_data_t spec = chip_sod_spec(pool, &issuer, &dump, i == 0);
        idv_passport_checks_t checks;

        if (i == 2)
            spec.digest = "SHA1"; /* the signature's is SHA-256 */
        if (i == 3)
            spec.is_unsorted = 1;
        if (i == 4)
            spec.signing_time = "260101000000Z";
        if (i == 5)
            spec.names_wrongly = 1;
        if (i == 6)
            spec.certificates = JOIN(pool, issuer.csca, issuer.signer);
        if (i >= 4)
            spec.names_by_key = i == 4 || i == 6;
        dump.files[IDV_CHIP_SOD] =
            DER(pool, 0x77, chip_signed_data(pool, &spec));
        checks = authenticate(pool, &dump, list);
        assert_passed(&checks);
        assert_int_equal(told.lds_version, i == 0);
    }
}

/* The same in BER with indefinite lengths. */
static void indefinite_lengths_are_read(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_chip_dump_t dump = plain_dump(pool);
    chip_signed_data_t spec = chip_sod_spec(pool, &issuer, &dump, 0);
    idv_bytes_t info = chip_signed_data(pool, &spec);
    int fault = 0;
    idv_tlv_reader_t outer = idv_tlv_open(info, &fault);
    idv_bytes_t inner = idv_tlv_read(&outer).content;
    idv_passport_checks_t checks;

    dump.files[IDV_CHIP_SOD] =
        DER(pool, 0x77, BYTES("\x30\x80"), inner, BYTES("\0\0"));
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_passed(&checks);
}

static void altered_files_do_not_match(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);
    idv_chip_dump_t dump = plain_dump(pool), altered;
    idv_passport_checks_t checks;

    chip_sign_dump(pool, &issuer, &dump);
    for (int file = IDV_CHIP_DG1; file <= IDV_CHIP_DG2; file++)
        for (int at = 0; at < (int)dump.files[file].length; at += 7) {
            altered = dump;
            altered.files[file] = with_other_byte(pool, dump.files[file], at);
            checks = authenticate(pool, &altered, list);
            assert_only(&checks, R(DATA_GROUP_HASH_WRONG));
            assert_int_equal(told.matched,
                             1u << (file == IDV_CHIP_DG1 ? 2 : 1));
        }
    altered = dump;
    altered.files[IDV_CHIP_DG15] = BYTES("\x6f\x02\x30\x00");
    checks = authenticate(pool, &altered, list);
    assert_only(&checks, R(DATA_GROUP_NOT_SIGNED));
    /* What is announced and not signed, and the reverse. */
    altered = dump;
    altered.files[IDV_CHIP_COM] =
        DER(pool, 0x60, DER(pool, 0x5C, BYTES("\x61\x75\x6f")));
    checks = authenticate(pool, &altered, list);
    assert_only(&checks, R(DATA_GROUP_LIST_MISMATCH));
    altered.files[IDV_CHIP_COM] =
        DER(pool, 0x60, DER(pool, 0x5C, BYTES("\x61")));
    checks = authenticate(pool, &altered, list);
    assert_only(&checks, R(DATA_GROUP_NOT_ANNOUNCED));
}

/* Whichever byte of the signed content, the attributes, the signature or the
 * signer's certificate is another. */
static void altered_security_objects_fail(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);
    idv_chip_dump_t dump = plain_dump(pool), altered;
    idv_bytes_t sod, content, certificate, attribute;
    int place, signed_until;

    chip_sign_dump(pool, &issuer, &dump);
    altered = dump;
    sod = dump.files[IDV_CHIP_SOD];
    content = chip_lds_object(pool, &dump, "SHA256", 0);
    attribute = chip_hash(pool, "SHA256", content);
    signed_until = place_of(sod, attribute) + (int)attribute.length;
    place = place_of(sod, content);
    for (int at = 0; at < (int)sod.length; at++) {
        idv_passport_checks_t checks;

        altered.files[IDV_CHIP_SOD] = with_other_byte(pool, sod, at);
        checks = authenticate(pool, &altered, list);
        idv_passport_checks_pass(&checks, C(ISSUING_STATE));
        /* The name of the signer and the list of digest algorithms are not
         * signed; content, attributes and signature are. */
        if (idv_passport_checks_prove_data(&checks))
            assert_true(at < place
                        || (at >= place + (int)content.length
                            && at < signed_until - 64));
    }
    for (int at = (int)content.length - 32; at < (int)content.length; at++) {
        idv_passport_checks_t checks;

        altered.files[IDV_CHIP_SOD] = with_other_byte(pool, sod, place + at);
        checks = authenticate(pool, &altered, list);
        assert_int_equal(
            checks.reasons[C(SECURITY_OBJECT_SIGNATURE)],
            R(MESSAGE_DIGEST_MISMATCH));
    }
    certificate = issuer.signer;
    place = place_of(sod, certificate);
    for (int at = 20; at < (int)certificate.length; at += 5) {
        idv_passport_checks_t checks;

        altered.files[IDV_CHIP_SOD] = with_other_byte(pool, sod, place + at);
        checks = authenticate(pool, &altered, list);
        idv_passport_checks_pass(&checks, C(ISSUING_STATE));
        assert_false(idv_passport_checks_prove_data(&checks));
    }
    altered.files[IDV_CHIP_SOD] = with_other_byte(pool, sod, -1);
    assert_int_equal(authenticate(pool, &altered, list)
                         .reasons[C(SECURITY_OBJECT_SIGNATURE)],
                     R(SIGNATURE_WRONG));
}

static void malformed_security_objects_have_reasons(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);
    idv_chip_dump_t dump = plain_dump(pool);
    idv_bytes_t good = chip_lds_object(pool, &dump, "SHA256", 0);
    idv_bytes_t hash = DER(
        pool, 0x30, DER(pool, 2, BYTES("\x01")),
        DER(pool, 4, chip_hash(pool, "SHA256", dump.files[IDV_CHIP_DG1])));
    idv_bytes_t algorithm = chip_digest_algorithm(pool, "SHA256");
    const struct {
        idv_bytes_t type, signed_type, content;
        int version;
        idv_passport_reason_t reason;
    } rows[] = {
        { CHIP_TYPE_SOD, BYTES(""), good, 100, R(SIGNED_DATA_VERSION_WRONG) },
        { CHIP_TYPE_SOD, BYTES(""), good, 6, R(SIGNED_DATA_VERSION_WRONG) },
        { CHIP_TYPE_MASTER_LIST, BYTES(""), BYTES("\x30\0"), 3,
          R(CONTENT_TYPE_WRONG) },
        { CHIP_TYPE_SOD, CHIP_TYPE_DATA, good, 3,
          R(SIGNED_CONTENT_TYPE_MISMATCH) },
        { CHIP_TYPE_SOD, BYTES(""),
          chip_lds_object(pool, &dump, "SHA256", 2), 3,
          R(LDS_VERSION_UNKNOWN) },
        { CHIP_TYPE_SOD, BYTES(""), JOIN(pool, good, BYTES("\0\0")), 3,
          R(LDS_SECURITY_OBJECT_MALFORMED) },
        { CHIP_TYPE_SOD, BYTES(""), BYTES("\x30\0"), 3,
          R(LDS_SECURITY_OBJECT_MALFORMED) },
        /* A data group that is listed twice, or numbered 17; no list. */
        { CHIP_TYPE_SOD, BYTES(""),
          DER(pool, 0x30, BYTES("\x02\x01\0"), algorithm,
              DER(pool, 0x30, hash, hash)),
          3, R(LDS_SECURITY_OBJECT_MALFORMED) },
        { CHIP_TYPE_SOD, BYTES(""),
          DER(pool, 0x30, BYTES("\x02\x01\0"), algorithm,
              DER(pool, 0x30, with_other_byte(pool, hash, 4))),
          3, R(LDS_SECURITY_OBJECT_MALFORMED) },
        { CHIP_TYPE_SOD, BYTES(""),
          DER(pool, 0x30, BYTES("\x02\x01\0"), algorithm,
              DER(pool, 0x30, BYTES(""))),
          3, R(LDS_SECURITY_OBJECT_MALFORMED) },
        { CHIP_TYPE_SOD, BYTES(""),
          DER(pool, 0x30, BYTES("\x02\x01\0"),
              DER(pool, 0x30, DER(pool, 6, BYTES("\x2a\x03"))),
              DER(pool, 0x30, hash)),
          3, R(HASH_ALGORITHM_UNSUPPORTED) },
        /* Version 1 needs information about the version, 0 has none. */
        { CHIP_TYPE_SOD, BYTES(""),
          DER(pool, 0x30, BYTES("\x02\x01\x01"), algorithm,
              DER(pool, 0x30, hash)),
          3, R(LDS_SECURITY_OBJECT_MALFORMED) },
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        chip_signed_data_t spec = chip_sod_spec(pool, &issuer, &dump, 0);
        idv_passport_checks_t checks;

        spec.content_type = rows[i].type;
        spec.signed_type = rows[i].signed_type;
        spec.content = rows[i].content;
        spec.version = rows[i].version;
        dump.files[IDV_CHIP_SOD] =
            DER(pool, 0x77, chip_signed_data(pool, &spec));
        checks = authenticate(pool, &dump, list);
        assert_only(&checks, rows[i].reason);
    }
    dump.files[IDV_CHIP_SOD] = BYTES("\x77\x02\x30\x00");
    assert_int_equal(authenticate(pool, &dump, list).reasons[0],
                     R(SECURITY_OBJECT_MALFORMED));
    dump.files[IDV_CHIP_SOD] =
        DER(pool, 0x77,
            DER(pool, 0x30,
                DER(pool, 6, BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03")),
                DER(pool, 0xA0, BYTES("\x30\x00"))));
    assert_int_equal(authenticate(pool, &dump, list).reasons[0],
                     R(NOT_SIGNED_DATA));
}

static void other_issuers_do_not_vouch(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    chip_issuer_t other = chip_plain_issuer(pool); /* of the same name */
    chip_key_t forger = chip_key(pool, "P-256", "SHA256");
    idv_chip_dump_t dump = plain_dump(pool);
    idv_certificate_t csca;
    idv_bytes_t ids;
    idv_passport_checks_t checks;

    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, other.csca));
    assert_only(&checks, R(CSCA_UNKNOWN));
    assert_null(told.csca);
    checks = authenticate(pool, &dump, idv_csca_list_create(pool));
    assert_only(&checks, R(CSCA_UNKNOWN));
    /* A signer that names the key of the CSCA and was signed by another. */
    assert_null(idv_certificate_read(issuer.csca, &csca, pool));
    ids = chip_extension(pool, BYTES("\x55\x1d\x23"), 0,
                         DER(pool, 0x30, DER(pool, 0x80, csca.key_id)));
    issuer.signer = chip_certificate(
        pool, &(chip_certificate_t){ .key = issuer.signer_key,
                                     .issuer_key = forger,
                                     .subject = "document signer",
                                     .issuer = "csca",
                                     .no_key_ids = 1,
                                     .extension = ids });
    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_only(&checks, R(CSCA_SIGNATURE_WRONG));
    /* A genuine signer's certificate with another's signature. */
    issuer = chip_plain_issuer(pool);
    issuer.signer_key = forger;
    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_only(&checks, R(SIGNATURE_WRONG));
}

/* Certificates of one name: the key decides, named or not. */
static void names_may_be_equal(void **state)
{
    apr_pool_t *pool = *state;
    idv_csca_list_t *list = idv_csca_list_create(pool);
    chip_issuer_t issuers[5];

    for (int i = 0; i < 5; i++) {
        issuers[i] = chip_plain_issuer(pool);
        assert_null(idv_csca_list_add(list, issuers[i].csca, "all", NULL));
    }
    for (int i = 0; i < 10; i++) {
        chip_issuer_t *issuer = &issuers[i / 2];
        idv_chip_dump_t dump = plain_dump(pool);
        idv_passport_checks_t checks;

        if (i % 2)
            issuer->signer = chip_certificate(
                pool, &(chip_certificate_t){ .key = issuer->signer_key,
                                             .issuer_key = issuer->csca_key,
                                             .subject = "document signer",
                                             .issuer = "CSCA", /* any case */
                                             .no_key_ids = 1 });
        chip_sign_dump(pool, issuer, &dump);
        checks = authenticate(pool, &dump, list);
        assert_passed(&checks);
        assert_bytes(told.csca->certificate.der, issuer->csca);
    }
}

/* A link certificate of an earlier key for the next one is as good as a root,
 * and of two for one key the valid one is taken. */
static void link_certificates_are_anchors(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    chip_key_t earlier = chip_key(pool, "P-256", "SHA256");
    idv_bytes_t link = chip_certificate(
        pool, &(chip_certificate_t){ .key = issuer.csca_key,
                                     .issuer_key = earlier,
                                     .subject = "csca",
                                     .issuer = "csca",
                                     .is_authority = 1 });
    idv_bytes_t old = chip_certificate(
        pool, &(chip_certificate_t){ .key = issuer.csca_key,
                                     .issuer_key = issuer.csca_key,
                                     .subject = "csca",
                                     .issuer = "csca",
                                     .is_authority = 1,
                                     .not_before = "100101000000Z",
                                     .not_after = "200101000000Z" });
    idv_chip_dump_t dump = plain_dump(pool);
    idv_passport_checks_t checks;

    chip_sign_dump(pool, &issuer, &dump);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, link));
    assert_passed(&checks);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, old, link));
    assert_passed(&checks);
    assert_bytes(told.csca->certificate.der, link);
    checks = authenticate(pool, &dump, CHIP_LIST(pool, old));
    assert_passed(&checks); /* its time is judged by the decision */
    assert_bytes(told.csca->certificate.der, old);
}

/* P-256 with another generator: whoever chooses it knows the key of any point. */
static idv_bytes_t key_on_own_curve(apr_pool_t *pool)
{
    EC_GROUP *curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = EC_POINT_new(curve);
    BIGNUM *two = BN_new();
    unsigned char *der = NULL;
    unsigned char *encoded = apr_palloc(pool, 65);
    idv_bytes_t parameters;
    int length;

    assert_int_equal(BN_set_word(two, 2), 1);
    assert_int_equal(EC_POINT_mul(curve, point, two, NULL, NULL, NULL), 1);
    assert_int_equal(EC_POINT_point2oct(curve, point,
                                        POINT_CONVERSION_UNCOMPRESSED, encoded,
                                        65, NULL),
                     65);
    assert_int_equal(EC_GROUP_set_generator(curve, point,
                                            EC_GROUP_get0_order(curve),
                                            EC_GROUP_get0_cofactor(curve)),
                     1);
    EC_GROUP_set_curve_name(curve, NID_undef);
    EC_GROUP_set_asn1_flag(curve, OPENSSL_EC_EXPLICIT_CURVE);
    length = i2d_ECPKParameters(curve, &der);
    assert_true(length > 0);
    parameters = (idv_bytes_t){ apr_pmemdup(pool, der, (apr_size_t)length),
                                (apr_size_t)length };
    OPENSSL_free(der);
    BN_free(two);
    EC_POINT_free(point);
    EC_GROUP_free(curve);
    return DER(pool, 0x30,
               DER(pool, 0x30,
                   DER(pool, 6, BYTES("\x2a\x86\x48\xce\x3d\x02\x01")),
                   parameters),
               DER(pool, 3, BYTES("\0"), { encoded, 65 }));
}

static void keys_outside_of_the_bounds_are_refused(void **state)
{
    apr_pool_t *pool = *state;
    EVP_PKEY *weak = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)512);
    EVP_PKEY *small = EVP_EC_gen("secp160r1");
    EVP_PKEY *other = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    EVP_PKEY *key;

    assert_non_null(idv_public_key_read(key_on_own_curve(pool), &key, pool));
    assert_non_null(
        idv_public_key_read(chip_public_key(pool, weak), &key, pool));
    assert_non_null(
        idv_public_key_read(chip_public_key(pool, small), &key, pool));
    assert_non_null(
        idv_public_key_read(chip_public_key(pool, other), &key, pool));
    assert_non_null(idv_public_key_read(BYTES("\x30\0"), &key, pool));
    assert_non_null(idv_public_key_read(BYTES(""), &key, pool));
    EVP_PKEY_free(weak);
    EVP_PKEY_free(small);
    EVP_PKEY_free(other);
}

/* What a certificate of a document signer must not be. */
static void unfit_signers_fail(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_csca_list_t *list = CHIP_LIST(pool, issuer.csca);
    chip_certificate_t specs[4];

    for (size_t i = 0; i < LENGTH(specs); i++) {
        idv_chip_dump_t dump = plain_dump(pool);
        idv_passport_checks_t checks;

        specs[i] = (chip_certificate_t){ .key = issuer.signer_key,
                                         .issuer_key = issuer.csca_key,
                                         .subject = "document signer",
                                         .issuer = "csca" };
        if (i == 0) { /* which may sign data as well */
            specs[i].is_authority = 1;
            specs[i].key_usage = "\x01\x86";
        }
        if (i == 1)
            specs[i].key_usage = "\x05\x20"; /* encipherment */
        if (i == 2)
            specs[i].extension = chip_extension(pool, BYTES("\x2a\x03"), 1,
                                                BYTES("\x05\0"));
        if (i == 3) /* known, but not readable */
            specs[i].extension = chip_extension(pool, BYTES("\x55\x1d\x13"), 1,
                                                BYTES("\x02\0"));
        issuer.signer = chip_certificate(pool, &specs[i]);
        chip_sign_dump(pool, &issuer, &dump);
        checks = authenticate(pool, &dump, list);
        assert_only(&checks, R(DOCUMENT_SIGNER_UNFIT));
    }
}

static void signers_that_are_not_there_are_doubts(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t issuer = chip_plain_issuer(pool);
    idv_chip_dump_t dump = plain_dump(pool);
    chip_signed_data_t spec = chip_sod_spec(pool, &issuer, &dump, 0);
    idv_passport_checks_t checks;

    spec.certificates = BYTES("");
    dump.files[IDV_CHIP_SOD] = DER(pool, 0x77, chip_signed_data(pool, &spec));
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_only(&checks, R(DOCUMENT_SIGNER_MISSING));
    /* Of several, none is the one that the signer names. */
    spec.certificates = JOIN(pool, issuer.csca, chip_plain_issuer(pool).signer);
    dump.files[IDV_CHIP_SOD] = DER(pool, 0x77, chip_signed_data(pool, &spec));
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_only(&checks, R(DOCUMENT_SIGNER_MISSING));
    spec.certificates = BYTES("\x30\x03\x02\x01\x05");
    dump.files[IDV_CHIP_SOD] = DER(pool, 0x77, chip_signed_data(pool, &spec));
    checks = authenticate(pool, &dump, CHIP_LIST(pool, issuer.csca));
    assert_only(&checks, R(DOCUMENT_SIGNER_MALFORMED));
}

/* --- public files --- */

static void public_security_objects_end_as_described(void **state)
{
    static const struct {
        const char *name;
        idv_passport_check_t check;
        idv_passport_reason_t reason;
    } rows[] = {
        { "sod_test_00_L31", C(SECURITY_OBJECT_SIGNATURE), R(NONE) },
        { "sod_test_01_L202", C(SECURITY_OBJECT_SIGNATURE), R(NONE) },
        { "sod_test_02_L386", C(SECURITY_OBJECT), R(NONE) },
        { "sod_test_02_L386", C(SECURITY_OBJECT_SIGNATURE),
          R(SIGNATURE_WRONG) }, /* changed after it was signed */
        { "sod_test_03_L559", C(SECURITY_OBJECT), R(NOT_SIGNED_DATA) },
        /* A version or a type that is unusual does not widen trust. */
        { "sod_test_05_L569", C(SECURITY_OBJECT), R(NONE) },
        { "sod_test_07_L579", C(SECURITY_OBJECT), R(NONE) },
        { "sod_test_09_L589", C(SECURITY_OBJECT), R(NONE) },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_chip_dump_t dump = { .files = { { NULL, 0 } } };
        idv_passport_checks_t checks;

        dump.files[IDV_CHIP_SOD] = public_file(
            pool, apr_pstrcat(pool, "bsi-etsi/", rows[i].name, ".bin", NULL));
        checks = authenticate(pool, &dump, idv_csca_list_create(pool));
        assert_true(checks.is_made[rows[i].check]);
        if (checks.reasons[rows[i].check] != rows[i].reason)
            fail_msg("%s: %s", rows[i].name,
                     idv_passport_reason_code(checks.reasons[rows[i].check]));
        if (i < 2)
            assert_only(&checks, R(CSCA_UNKNOWN));
    }
}

/* The signer's certificate of each is published by itself, too. */
static void public_signers_are_those_inside(void **state)
{
    static const char *const pairs[][2] = {
        { "sod_test_00_L31", "dsc_de_0142fd5cf927" },
        { "sod_test_01_L202", "dsc_de_0130846f2b3e" },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(pairs); i++) {
        idv_chip_dump_t dump = { .files = { { NULL, 0 } } };

        dump.files[IDV_CHIP_SOD] = public_file(
            pool, apr_pstrcat(pool, "bsi-etsi/", pairs[i][0], ".bin", NULL));
        authenticate(pool, &dump, idv_csca_list_create(pool));
        assert_bytes(told.signer.der,
                     public_file(pool, apr_pstrcat(pool, "bsi-etsi/",
                                                   pairs[i][1], ".cer", NULL)));
        assert_string_equal(told.signer.country, "DE");
    }
}

/* The public chip, and the cases of its set that are the same with one byte
 * changed: a hash, the signature. */
static void the_public_chip_is_authentic_until_changed(void **state)
{
    apr_pool_t *pool = *state;
    idv_chip_dump_t dump = { .files = { { NULL, 0 } } }, altered;
    idv_csca_list_t *none = idv_csca_list_create(pool);
    idv_bytes_t sod = public_file(pool, "bsi-etsi/sod_test_01_L202.bin"), hash;
    idv_passport_checks_t checks;

    dump.files[IDV_CHIP_SOD] = public_file(pool, "bsi-2008/EF_SOD.bin");
    dump.files[IDV_CHIP_COM] = public_file(pool, "bsi-2008/EF_COM.bin");
    dump.files[IDV_CHIP_DG1] = public_file(pool, "bsi-2008/Datagroup1.bin");
    dump.files[IDV_CHIP_DG2] = public_file(pool, "bsi-2008/Datagroup2.bin");
    dump.files[IDV_CHIP_DG14] = public_file(pool, "bsi-2008/Datagroup14.bin");
    checks = authenticate(pool, &dump, none);
    assert_only(&checks, R(CSCA_UNKNOWN));
    assert_int_equal(told.matched, 1u << 1 | 1u << 2 | 1u << 14);
    assert_int_equal(told.listed, told.matched | 1u << 3);
    /* The security object does not list this one. */
    altered = dump;
    altered.files[IDV_CHIP_DG15] =
        public_file(pool, "bsi-2008/Datagroup15.bin");
    assert_int_equal(authenticate(pool, &altered, none)
                         .reasons[C(DATA_GROUP_HASHES)],
                     R(DATA_GROUP_NOT_SIGNED));
    altered = dump;
    altered.files[IDV_CHIP_DG1] =
        with_other_byte(pool, dump.files[IDV_CHIP_DG1], 20);
    assert_int_equal(authenticate(pool, &altered, none)
                         .reasons[C(DATA_GROUP_HASHES)],
                     R(DATA_GROUP_HASH_WRONG));
    hash = from_hex(pool, "51b6fc0ef1946f3a86d2a4c9557c5d8e"
                          "cff13113b4131089c5c48bf7291ffdf5");
    memset(&altered, 0, sizeof(altered));
    altered.files[IDV_CHIP_SOD] =
        with_other_byte(pool, sod, place_of(sod, hash) + 31);
    assert_int_equal(authenticate(pool, &altered, none)
                         .reasons[C(SECURITY_OBJECT_SIGNATURE)],
                     R(MESSAGE_DIGEST_MISMATCH));
    altered.files[IDV_CHIP_SOD] = with_other_byte(pool, sod, -1);
    assert_int_equal(authenticate(pool, &altered, none)
                         .reasons[C(SECURITY_OBJECT_SIGNATURE)],
                     R(SIGNATURE_WRONG));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_plain_chip_is_authentic),
        pooled_test(issuers_sign_in_many_ways),
        pooled_test(security_objects_have_liberties),
        pooled_test(indefinite_lengths_are_read),
        pooled_test(altered_files_do_not_match),
        pooled_test(altered_security_objects_fail),
        pooled_test(malformed_security_objects_have_reasons),
        pooled_test(other_issuers_do_not_vouch),
        pooled_test(names_may_be_equal),
        pooled_test(link_certificates_are_anchors),
        pooled_test(keys_outside_of_the_bounds_are_refused),
        pooled_test(unfit_signers_fail),
        pooled_test(signers_that_are_not_there_are_doubts),
        pooled_test(public_security_objects_end_as_described),
        pooled_test(public_signers_are_those_inside),
        pooled_test(the_public_chip_is_authentic_until_changed),
    };

    return unit_run("passport/passive", tests);
}
