/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of country signing certificates, and the files that they come in. */
#include "unit/passport_chip.h"

#include <apr_encode.h>

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define MASTER_LIST_SIGNER "\x30\x08\x06\x06\x67\x81\x08\x01\x01\x03"

/* A signer of master lists and what it signs. */
typedef struct {
    chip_issuer_t issuer; /* its CSCA; the document signer is the list's */
    chip_issuer_t others[3];
    chip_signed_data_t spec;
} master_list_t;

static idv_bytes_t list_of(apr_pool_t *pool, idv_bytes_t certificates)
{
    return DER(pool, 0x30, BYTES("\x02\x01\0"),
               DER(pool, 0x31, certificates));
}

static master_list_t master_list(apr_pool_t *pool)
{
    master_list_t made = { .issuer = chip_plain_issuer(pool) };

    for (size_t i = 0; i < LENGTH(made.others); i++)
        made.others[i] = chip_plain_issuer(pool);
    made.issuer.signer = chip_certificate(
        pool,
        &(chip_certificate_t){
            .key = made.issuer.signer_key,
            .issuer_key = made.issuer.csca_key,
            .subject = "master list signer",
            .issuer = "csca",
            .not_after = "260201000000Z",
            .extension = chip_extension(pool, BYTES("\x55\x1d\x25"), 1,
                                        BYTES(MASTER_LIST_SIGNER)) });
    made.spec = (chip_signed_data_t){
        .content_type = CHIP_TYPE_MASTER_LIST,
        .content = list_of(pool, JOIN(pool, made.others[0].csca,
                                      made.others[1].csca,
                                      made.others[2].csca)),
        .certificates = JOIN(pool, made.issuer.signer, made.issuer.csca),
        .certificate = made.issuer.signer,
        .signer = made.issuer.signer_key,
        .signing_time = "260101000000Z",
    };
    return made;
}

static void a_master_list_gives_its_certificates(void **state)
{
    apr_pool_t *pool = *state;
    master_list_t made = master_list(pool);
    idv_bytes_t file = chip_signed_data(pool, &made.spec);
    idv_csca_list_t *list = idv_csca_list_create(pool);
    idv_master_list_t told;
    const idv_csca_t *item;

    /* The signer has expired since, which changes nothing. */
    assert_null(idv_csca_list_read_master_list(list, file, "ml 7", CHIP_NOW,
                                               &told));
    assert_int_equal(told.certificates, 3);
    assert_int_equal(told.added, 3);
    assert_int_equal(told.is_anchored, 0);
    assert_int_equal(told.signing_time, 1767225600000);
    assert_bytes(told.signer, made.issuer.signer);
    assert_bytes(told.signer_issuer, made.issuer.csca);
    assert_int_equal(list->items->nelts, 3);
    item = &APR_ARRAY_IDX(list->items, 1, idv_csca_t);
    assert_bytes(item->certificate.der, made.others[1].csca);
    assert_true(item->certificate.der.data != made.others[1].csca.data);
    assert_string_equal(item->source, "ml 7");
    /* The next one adds what is new. */
    made.spec.content = list_of(
        pool, JOIN(pool, made.others[2].csca, made.issuer.csca));
    file = chip_signed_data(pool, &made.spec);
    assert_null(idv_csca_list_read_master_list(list, file, "ml 8", CHIP_NOW,
                                               &told));
    assert_int_equal(told.certificates, 2);
    assert_int_equal(told.added, 1);
    assert_int_equal(told.is_anchored, 0);
    /* Now its issuer is trusted. */
    assert_null(idv_csca_list_read_master_list(list, file, "ml 9", CHIP_NOW,
                                               &told));
    assert_int_equal(told.added, 0);
    assert_int_equal(told.is_anchored, 1);
    assert_int_equal(list->items->nelts, 4);
}

/* The CSCA of the signer may stand in the list itself instead of beside it. */
static void the_issuer_may_be_in_the_list(void **state)
{
    apr_pool_t *pool = *state;
    master_list_t made = master_list(pool);
    idv_csca_list_t *list = idv_csca_list_create(pool);
    idv_master_list_t told;

    made.spec.certificates = made.issuer.signer;
    assert_non_null(idv_csca_list_read_master_list(
        list, chip_signed_data(pool, &made.spec), "ml", CHIP_NOW, &told));
    assert_int_equal(list->items->nelts, 0);
    made.spec.content = list_of(
        pool, JOIN(pool, made.issuer.csca, made.others[0].csca));
    assert_null(idv_csca_list_read_master_list(
        list, chip_signed_data(pool, &made.spec), "ml", CHIP_NOW, &told));
    assert_int_equal(told.is_anchored, 0);
    assert_int_equal(list->items->nelts, 2);
}

static void master_lists_are_refused_whole(void **state)
{
    apr_pool_t *pool = *state;

    for (int i = 0; i < 9; i++) {
        master_list_t made = master_list(pool);
        idv_csca_list_t *list = CHIP_LIST(pool, made.others[0].csca);
        idv_bytes_t file;
        idv_master_list_t told;
        idv_error_t *error;

        if (i == 0)
            made.spec.content_type = CHIP_TYPE_SOD;
        if (i == 1)
            made.spec.content = BYTES("\x30\x05\x02\x01\x01\x31\0");
        if (i == 2)
            made.spec.content = list_of(pool, BYTES(""));
        if (i == 3)
            made.spec.signing_time = "260301000000Z"; /* after its end */
        if (i == 4)
            made.spec.signing_time = NULL; /* CHIP_NOW is after its end */
        if (i == 5) { /* a document signer */
            made.spec.certificate = made.spec.certificates =
                made.others[0].signer;
            made.spec.signer = made.others[0].signer_key;
        }
        if (i == 6)
            made.spec.signer = made.others[0].signer_key;
        if (i == 7) /* without the CSCA of its signer */
            made.spec.certificates = made.issuer.signer;
        file = chip_signed_data(pool, &made.spec);
        if (i == 8) /* the certificates are not what was signed */
            file = with_other_byte(
                pool, file, place_of(file, made.others[1].csca) + 100);
        error = idv_csca_list_read_master_list(list, file, "ml", CHIP_NOW,
                                               &told);
        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        assert_int_equal(list->items->nelts, 1);
    }
}

static const char *pem_of(apr_pool_t *pool, idv_bytes_t der, const char *name)
{
    return apr_pstrcat(pool, "-----BEGIN ", name, "-----\n",
                       apr_pencode_base64_binary(pool, der.data,
                                                 (apr_ssize_t)der.length,
                                                 APR_ENCODE_NONE, NULL),
                       "\n-----END ", name, "-----\n", NULL);
}

static void plain_certificates_are_read(void **state)
{
    apr_pool_t *pool = *state;
    chip_issuer_t one = chip_plain_issuer(pool), two = chip_plain_issuer(pool);
    const char *text = apr_pstrcat(
        pool, "subject: csca\n", pem_of(pool, one.csca, "CERTIFICATE"),
        pem_of(pool, BYTES("\x30\0"), "X509 CRL"),
        pem_of(pool, two.csca, "CERTIFICATE"), NULL);
    const char *wrong =
        apr_pstrcat(pool, text, pem_of(pool, one.signer, "CERTIFICATE"), NULL);
    idv_csca_list_t *list = idv_csca_list_create(pool);
    int count;

    assert_non_null(idv_csca_list_read_certificates(
        list, (idv_bytes_t){ (const unsigned char *)wrong, strlen(wrong) },
        "file", &count)); /* one of them is no authority */
    assert_int_equal(list->items->nelts, 0);
    assert_null(idv_csca_list_read_certificates(list, one.csca, "a", &count));
    assert_int_equal(count, 1);
    assert_null(idv_csca_list_read_certificates(
        list, (idv_bytes_t){ (const unsigned char *)text, strlen(text) }, "b",
        &count));
    assert_int_equal(count, 1);
    assert_int_equal(list->items->nelts, 2);
    assert_string_equal(APR_ARRAY_IDX(list->items, 0, idv_csca_t).source, "a");
    assert_non_null(
        idv_csca_list_read_certificates(list, one.signer, "c", &count));
    /* Key usage of an authority, basic constraints of none: one state has it. */
    assert_null(idv_csca_list_read_certificates(
        list,
        chip_certificate(
            pool, &(chip_certificate_t){
                      .key = one.csca_key,
                      .issuer_key = two.csca_key,
                      .subject = "csca",
                      .issuer = "csca",
                      .key_usage = "\x01\x06",
                      .extension = chip_extension(pool, BYTES("\x55\x1d\x13"),
                                                  1, BYTES("\x30\0")) }),
        "c", &count));
    assert_int_equal(count, 1);
    assert_non_null(
        idv_csca_list_read_certificates(list, BYTES("hello"), "c", &count));
    assert_non_null(
        idv_csca_list_read_certificates(list, BYTES(""), "c", &count));
}

static void certificates_say_what_is_needed(void **state)
{
    apr_pool_t *pool = *state;
    chip_key_t key = chip_key(pool, "P-256", "SHA256");
    idv_bytes_t types = chip_extension(
        pool, BYTES("\x67\x81\x08\x01\x01\x06\x02"), 0,
        DER(pool, 0x30, BYTES("\x02\x01\0"),
            DER(pool, 0x31, DER(pool, 0x13, BYTES("P")),
                DER(pool, 0x13, BYTES("ID")))));
    idv_bytes_t period = chip_extension(
        pool, BYTES("\x55\x1d\x10"), 0,
        DER(pool, 0x30, DER(pool, 0x80, BYTES("20200101000000Z")),
            DER(pool, 0x81, BYTES("20250101000000Z"))));
    chip_certificate_t spec = { .key = key,
                                .issuer_key = key,
                                .country = "nz",
                                .subject = "s",
                                .issuer = "i",
                                .not_before = "500101000000Z",
                                .not_after = "491231235959Z",
                                .extension = JOIN(pool, types, period) };
    idv_bytes_t der = chip_certificate(pool, &spec);
    idv_certificate_t certificate;

    assert_null(idv_certificate_read(der, &certificate, pool));
    assert_string_equal(certificate.country, "NZ");
    assert_int_equal(certificate.not_before, -631152000000); /* 1950 */
    assert_int_equal(certificate.not_after, 2524607999000);  /* 2049 */
    assert_int_equal(certificate.document_type_count, 2);
    assert_string_equal(certificate.document_types[1], "ID");
    assert_int_equal(certificate.key_used_from, 1577836800000);
    assert_int_equal(certificate.key_used_until, 1735689600000);
    assert_false(idv_certificate_may_sign_certificates(&certificate));
    assert_int_equal(idv_certificate_verify(&certificate, &certificate, pool),
                     IDV_CERTIFICATE_SIGNED);
    for (int at = 0; at < (int)der.length; at += 3)
        if (!idv_certificate_read(with_other_byte(pool, der, at), &certificate,
                                  pool))
            assert_int_not_equal(
                idv_certificate_verify(&certificate, &certificate, pool),
                IDV_CERTIFICATE_SIGNED);
    spec.not_after = "351301000000Z";
    assert_non_null(idv_certificate_read(chip_certificate(pool, &spec),
                                         &certificate, pool));
    spec.not_after = "3501010000Z";
    assert_non_null(idv_certificate_read(chip_certificate(pool, &spec),
                                         &certificate, pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_master_list_gives_its_certificates),
        pooled_test(the_issuer_may_be_in_the_list),
        pooled_test(master_lists_are_refused_whole),
        pooled_test(plain_certificates_are_read),
        pooled_test(certificates_say_what_is_needed),
    };

    return unit_run("passport/csca_list", tests);
}
