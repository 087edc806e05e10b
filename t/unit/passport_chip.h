/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_UNIT_PASSPORT_CHIP_H
#define IDV_T_UNIT_PASSPORT_CHIP_H

/*
 * Issuers and chips of passports that the tests make themselves: certificates,
 * security objects and master lists, written element by element, so that each
 * may be made wrong in any way.
 *
 * Memory: the pool given. Everything fails the test that asks.
 */
#include <openssl/core_names.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "unit/passport_der.h"

#include "methods/passport/chip_dump.h"
#include "methods/passport/csca_list.h"
#include "methods/passport/tlv.h"

/* 2026-06-15T12:00:00Z */
#define CHIP_NOW ((idv_time_t)1781524800000)

/* "P<D<<MUSTER<<…", with check digits that are right. */
#define CHIP_ZONE                                                              \
    "P<D<<MUSTER<<ERIKA<<<<<<<<<<<<<<<<<<<<<<<<<<"                             \
    "C01X00T478D<<6408125F2702283<<<<<<<<<<<<<<<4"

/* --- keys --- */

/* A key and how it signs. */
typedef struct {
    EVP_PKEY *key;
    const char *digest; /* SHA1, SHA224, SHA256, SHA384, SHA512 */
    int is_pss;         /* RSA-PSS; the salt is as long as the digest */
    int names_key_only; /* the algorithm names the kind of key and no digest */
    int is_explicit;    /* the curve is written out */
} chip_key_t;

static apr_status_t free_chip_key(void *key)
{
    EVP_PKEY_free(key);
    return APR_SUCCESS;
}

/* A new key: the name of a curve, or RSA. */
__attribute__((unused)) static chip_key_t
chip_key(apr_pool_t *pool, const char *kind, const char *digest)
{
    chip_key_t key = { .digest = digest };

    key.key = strcmp(kind, "RSA") == 0 ? EVP_RSA_gen(2048) : EVP_EC_gen(kind);
    assert_non_null(key.key);
    apr_pool_cleanup_register(pool, key.key, free_chip_key,
                              apr_pool_cleanup_null);
    return key;
}

/* The same with its curve written out. */
__attribute__((unused)) static chip_key_t chip_key_explicit(apr_pool_t *pool,
                                                            const char *kind,
                                                            const char *digest)
{
    chip_key_t key = chip_key(pool, kind, digest);

    key.is_explicit = 1;
    assert_int_equal(
        EVP_PKEY_set_utf8_string_param(
            key.key, OSSL_PKEY_PARAM_EC_ENCODING,
            OSSL_PKEY_EC_ENCODING_EXPLICIT),
        1);
    return key;
}

__attribute__((unused)) static idv_bytes_t chip_public_key(apr_pool_t *pool,
                                                           const EVP_PKEY *key)
{
    unsigned char *der = NULL;
    int length = i2d_PUBKEY(key, &der);
    idv_bytes_t info = { apr_pmemdup(pool, der, (apr_size_t)length),
                         (apr_size_t)length };

    assert_true(length > 0);
    OPENSSL_free(der);
    return info;
}

__attribute__((unused)) static idv_bytes_t
chip_hash(apr_pool_t *pool, const char *digest, idv_bytes_t data)
{
    unsigned char *hash = apr_palloc(pool, EVP_MAX_MD_SIZE);

    return idv_hash(EVP_get_digestbyname(digest), data, hash);
}

/* --- algorithms --- */

/* SHA1, SHA224 and so on to the numbers that identifiers end with. */
static int last_arc(const char *digest, const char *numbers)
{
    static const char *const names[] = { "SHA1", "SHA224", "SHA256", "SHA384",
                                         "SHA512" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i], digest) == 0)
            return numbers[i];
    fail();
    return 0;
}

__attribute__((unused)) static idv_bytes_t chip_digest_algorithm(
    apr_pool_t *pool, const char *digest)
{
    char last = (char)last_arc(digest, "\x1a\x04\x01\x02\x03");

    if (last == 0x1a)
        return DER(pool, 0x30, DER(pool, 6, BYTES("\x2b\x0e\x03\x02\x1a")),
                   BYTES("\x05\x00"));
    return DER(pool, 0x30,
               DER(pool, 6, BYTES("\x60\x86\x48\x01\x65\x03\x04\x02"),
                   { (const unsigned char *)&last, 1 }),
               BYTES("\x05\x00"));
}

static idv_bytes_t pss_algorithm(apr_pool_t *pool, const char *digest)
{
    unsigned char salt =
        (unsigned char)EVP_MD_get_size(EVP_get_digestbyname(digest));
    idv_bytes_t hash = chip_digest_algorithm(pool, digest);

    return DER(
        pool, 0x30, DER(pool, 6, BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a")),
        DER(pool, 0x30, DER(pool, 0xA0, hash),
            DER(pool, 0xA1,
                DER(pool, 0x30,
                    DER(pool, 6, BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x01\x08")),
                    hash)),
            DER(pool, 0xA2, DER(pool, 2, { &salt, 1 }))));
}

__attribute__((unused)) static idv_bytes_t
chip_signature_algorithm(apr_pool_t *pool, const chip_key_t *key)
{
    char last;

    if (EVP_PKEY_is_a(key->key, "EC")) {
        if (key->names_key_only)
            return DER(pool, 0x30,
                       DER(pool, 6, BYTES("\x2a\x86\x48\xce\x3d\x02\x01")));
        last = (char)last_arc(key->digest, "\x01\x01\x02\x03\x04");
        return strcmp(key->digest, "SHA1") == 0
                   ? DER(pool, 0x30,
                         DER(pool, 6, BYTES("\x2a\x86\x48\xce\x3d\x04\x01")))
                   : DER(pool, 0x30,
                         DER(pool, 6, BYTES("\x2a\x86\x48\xce\x3d\x04\x03"),
                             { (const unsigned char *)&last, 1 }));
    }
    if (key->is_pss)
        return pss_algorithm(pool, key->digest);
    last = key->names_key_only
               ? 1
               : (char)last_arc(key->digest, "\x05\x0e\x0b\x0c\x0d");
    return DER(pool, 0x30,
               DER(pool, 6, BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x01"),
                   { (const unsigned char *)&last, 1 }),
               BYTES("\x05\x00"));
}

__attribute__((unused)) static idv_bytes_t
chip_sign(apr_pool_t *pool, const chip_key_t *key, idv_bytes_t data)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *settings;
    size_t length = 1024;
    unsigned char *signature = apr_palloc(pool, length);

    assert_int_equal(EVP_DigestSignInit(context, &settings,
                                        EVP_get_digestbyname(key->digest),
                                        NULL, key->key),
                     1);
    if (key->is_pss) {
        assert_true(EVP_PKEY_CTX_set_rsa_padding(settings,
                                                 RSA_PKCS1_PSS_PADDING)
                    > 0);
        assert_true(EVP_PKEY_CTX_set_rsa_pss_saltlen(settings,
                                                     RSA_PSS_SALTLEN_DIGEST)
                    > 0);
    }
    assert_int_equal(EVP_DigestSign(context, signature, &length, data.data,
                                    data.length),
                     1);
    EVP_MD_CTX_free(context);
    return (idv_bytes_t){ signature, length };
}

/* --- certificates --- */

typedef struct {
    chip_key_t key;         /* of the subject */
    chip_key_t issuer_key;  /* that signs */
    const char *country;    /* of both; default DE */
    const char *subject;    /* common names */
    const char *issuer;
    int is_authority;
    int no_key_ids;
    const char *not_before; /* UTCTime; default 2020 */
    const char *not_after;  /* default 2035 */
    const char *key_usage;  /* BIT STRING's content; default by the role */
    idv_bytes_t extension;  /* one more */
} chip_certificate_t;

static idv_bytes_t chip_name(apr_pool_t *pool, const char *country,
                             const char *common_name)
{
    idv_bytes_t code = { (const unsigned char *)country, 2 };
    idv_bytes_t name = { (const unsigned char *)common_name,
                         strlen(common_name) };

    return DER(pool, 0x30,
               DER(pool, 0x31,
                   DER(pool, 0x30, DER(pool, 6, BYTES("\x55\x04\x06")),
                       DER(pool, 0x13, code))),
               DER(pool, 0x31,
                   DER(pool, 0x30, DER(pool, 6, BYTES("\x55\x04\x03")),
                       DER(pool, 0x0C, name))));
}

static idv_bytes_t chip_extension(apr_pool_t *pool, idv_bytes_t object,
                                  int is_critical, idv_bytes_t value)
{
    return DER(pool, 0x30, DER(pool, 6, object),
               is_critical ? BYTES("\x01\x01\xff") : BYTES(""),
               DER(pool, 4, value));
}

static idv_bytes_t chip_extensions(apr_pool_t *pool,
                                   const chip_certificate_t *spec)
{
    idv_bytes_t key_id = chip_hash(
        pool, "SHA1", chip_public_key(pool, spec->key.key));
    idv_bytes_t authority_id = chip_hash(
        pool, "SHA1", chip_public_key(pool, spec->issuer_key.key));
    const char *usage = spec->key_usage      ? spec->key_usage
                        : spec->is_authority ? "\x01\x06"
                                             : "\x07\x80";
    idv_bytes_t ids =
        JOIN(pool,
             chip_extension(pool, BYTES("\x55\x1d\x0e"), 0,
                            DER(pool, 4, key_id)),
             chip_extension(pool, BYTES("\x55\x1d\x23"), 0,
                            DER(pool, 0x30, DER(pool, 0x80, authority_id))));

    return DER(pool, 0xA3,
               DER(pool, 0x30, spec->no_key_ids ? BYTES("") : ids,
                   chip_extension(
                       pool, BYTES("\x55\x1d\x0f"), 1,
                       DER(pool, 3, { (const unsigned char *)usage, 2 })),
                   spec->is_authority
                       ? chip_extension(pool, BYTES("\x55\x1d\x13"), 1,
                                        BYTES("\x30\x06\x01\x01\xff\x02\x01\0"))
                       : BYTES(""),
                   spec->extension));
}

static idv_bytes_t chip_time(apr_pool_t *pool, const char *time)
{
    return DER(pool, 0x17, { (const unsigned char *)time, strlen(time) });
}

/* Serial numbers count up, so that no two certificates are the same. */
__attribute__((unused)) static idv_bytes_t
chip_certificate(apr_pool_t *pool, const chip_certificate_t *spec)
{
    static unsigned char serial = 0;
    idv_bytes_t algorithm = chip_signature_algorithm(pool, &spec->issuer_key);
    const char *country = spec->country ? spec->country : "DE";
    idv_bytes_t tbs;

    serial = (unsigned char)(serial % 127 + 1);
    tbs = DER(
        pool, 0x30, BYTES("\xA0\x03\x02\x01\x02"), DER(pool, 2, { &serial, 1 }),
        algorithm, chip_name(pool, country, spec->issuer),
        DER(pool, 0x30,
            chip_time(pool,
                      spec->not_before ? spec->not_before : "200101000000Z"),
            chip_time(pool,
                      spec->not_after ? spec->not_after : "350101000000Z")),
        chip_name(pool, country, spec->subject),
        chip_public_key(pool, spec->key.key), chip_extensions(pool, spec));
    return DER(pool, 0x30, tbs, algorithm,
               DER(pool, 3, BYTES("\0"),
                   chip_sign(pool, &spec->issuer_key, tbs)));
}

/* --- signed data --- */

typedef struct {
    idv_bytes_t content_type; /* identifiers, content bytes */
    idv_bytes_t signed_type;  /* length 0: the same */
    idv_bytes_t content;
    idv_bytes_t certificates; /* one behind the other */
    idv_bytes_t certificate;  /* the signer's, to name it by */
    chip_key_t signer;
    const char *digest;       /* of the signer; NULL: that of its key */
    const char *signing_time; /* UTCTime; NULL: none */
    int version;              /* 0: 3 */
    int is_unsorted;          /* attributes sent in another order than signed */
    int names_by_key;         /* the signer is named by its key */
    int names_wrongly;        /* the signer has another serial number */
    idv_bytes_t signers_before; /* SignerInfos, one behind the other */
} chip_signed_data_t;

static idv_bytes_t chip_attribute(apr_pool_t *pool, char number,
                                  idv_bytes_t value)
{
    return DER(pool, 0x30,
               DER(pool, 6, BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x09"),
                   { (const unsigned char *)&number, 1 }),
               DER(pool, 0x31, value));
}

static idv_bytes_t chip_signer_info(apr_pool_t *pool,
                                    const chip_signed_data_t *spec)
{
    const char *digest = spec->digest ? spec->digest : spec->signer.digest;
    idv_bytes_t type = spec->signed_type.length ? spec->signed_type
                                                : spec->content_type;
    idv_bytes_t attributes[3] = {
        chip_attribute(pool, 3, DER(pool, 6, type)),
        spec->signing_time
            ? chip_attribute(pool, 5, chip_time(pool, spec->signing_time))
            : BYTES(""),
        chip_attribute(pool, 4,
                       DER(pool, 4, chip_hash(pool, digest, spec->content))),
    };
    idv_bytes_t sorted = der_join(pool, attributes, 3), sent = sorted, name;
    idv_certificate_t certificate;

    assert_null(idv_certificate_read(spec->certificate, &certificate, pool));
    if (spec->is_unsorted)
        sent = JOIN(pool, attributes[2], attributes[1], attributes[0]);
    if (spec->names_wrongly)
        certificate.serial = BYTES("\x7f\x7f");
    name = spec->names_by_key
               ? DER(pool, 0x80, certificate.key_id)
               : DER(pool, 0x30, certificate.issuer,
                     DER(pool, 2, certificate.serial));
    return DER(pool, 0x30, BYTES("\x02\x01\x01"), name,
               chip_digest_algorithm(pool, digest), DER(pool, 0xA0, sent),
               chip_signature_algorithm(pool, &spec->signer),
               DER(pool, 4,
                   chip_sign(pool, &spec->signer, DER(pool, 0x31, sorted))));
}

__attribute__((unused)) static idv_bytes_t
chip_signed_data(apr_pool_t *pool, const chip_signed_data_t *spec)
{
    const char *digest = spec->digest ? spec->digest : spec->signer.digest;
    unsigned char version = (unsigned char)(spec->version ? spec->version : 3);

    return DER(
        pool, 0x30,
        DER(pool, 6, BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02")),
        DER(pool, 0xA0,
            DER(pool, 0x30, DER(pool, 2, { &version, 1 }),
                DER(pool, 0x31, chip_digest_algorithm(pool, digest)),
                DER(pool, 0x30, DER(pool, 6, spec->content_type),
                    DER(pool, 0xA0, DER(pool, 4, spec->content))),
                DER(pool, 0xA0, spec->certificates),
                DER(pool, 0x31,
                    spec->signers_before.data ? spec->signers_before
                                              : BYTES(""),
                    chip_signer_info(pool, spec)))));
}

/* --- chips --- */

#define CHIP_TYPE_SOD BYTES("\x67\x81\x08\x01\x01\x01")
#define CHIP_TYPE_MASTER_LIST BYTES("\x67\x81\x08\x01\x01\x02")
#define CHIP_TYPE_DATA BYTES("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01")

/* The LDS security object over the files of DUMP. */
__attribute__((unused)) static idv_bytes_t
chip_lds_object(apr_pool_t *pool, const idv_chip_dump_t *dump,
                const char *digest, int version)
{
    idv_bytes_t hashes = BYTES("");
    unsigned char number = (unsigned char)version;

    for (int file = 0; file < IDV_CHIP_FILE_COUNT; file++) {
        unsigned char group = (unsigned char)idv_chip_file_data_group(file);

        if (group != 0 && dump->files[file].length > 0)
            hashes = JOIN(
                pool, hashes,
                DER(pool, 0x30, DER(pool, 2, { &group, 1 }),
                    DER(pool, 4,
                        chip_hash(pool, digest, dump->files[file]))));
    }
    return DER(pool, 0x30, DER(pool, 2, { &number, 1 }),
               chip_digest_algorithm(pool, digest), DER(pool, 0x30, hashes),
               version == 1 ? DER(pool, 0x30, DER(pool, 0x13, BYTES("0108")),
                                  DER(pool, 0x13, BYTES("060300")))
                            : BYTES(""));
}

/* An issuer with one document signer. */
typedef struct {
    chip_key_t csca_key;
    chip_key_t signer_key;
    idv_bytes_t csca;
    idv_bytes_t signer;
} chip_issuer_t;

__attribute__((unused)) static chip_issuer_t
chip_issuer(apr_pool_t *pool, chip_key_t csca_key, chip_key_t signer_key)
{
    chip_issuer_t issuer = { .csca_key = csca_key, .signer_key = signer_key };

    issuer.csca = chip_certificate(
        pool, &(chip_certificate_t){ .key = csca_key,
                                     .issuer_key = csca_key,
                                     .subject = "csca",
                                     .issuer = "csca",
                                     .is_authority = 1 });
    issuer.signer = chip_certificate(
        pool, &(chip_certificate_t){ .key = signer_key,
                                     .issuer_key = csca_key,
                                     .subject = "document signer",
                                     .issuer = "csca" });
    return issuer;
}

/* An issuer of P-256 and SHA-256. */
__attribute__((unused)) static chip_issuer_t
chip_plain_issuer(apr_pool_t *pool)
{
    return chip_issuer(pool, chip_key(pool, "P-256", "SHA256"),
                       chip_key(pool, "P-256", "SHA256"));
}

/* EF.SOD over DUMP, as ISSUER makes it. */
__attribute__((unused)) static chip_signed_data_t
chip_sod_spec(apr_pool_t *pool, const chip_issuer_t *issuer,
              const idv_chip_dump_t *dump, int lds_version)
{
    return (chip_signed_data_t){
        .content_type = CHIP_TYPE_SOD,
        .content = chip_lds_object(pool, dump, issuer->signer_key.digest,
                                   lds_version),
        .certificates = issuer->signer,
        .certificate = issuer->signer,
        .signer = issuer->signer_key,
    };
}

__attribute__((unused)) static void chip_sign_dump(apr_pool_t *pool,
                                                   const chip_issuer_t *issuer,
                                                   idv_chip_dump_t *dump)
{
    chip_signed_data_t spec = chip_sod_spec(pool, issuer, dump, 0);

    dump->files[IDV_CHIP_SOD] = DER(pool, 0x77, chip_signed_data(pool, &spec));
}

__attribute__((unused)) static idv_bytes_t chip_dg1(apr_pool_t *pool,
                                                    const char *zone)
{
    return DER(pool, 0x61,
               DER(pool, 0x5F1F,
                   { (const unsigned char *)zone, strlen(zone) }));
}

/* A JPEG of 3 by 2 pixels, as far as its headers go, without a record around
 * it but that of ISO/IEC 39794-5. */
__attribute__((unused)) static idv_bytes_t chip_dg2(apr_pool_t *pool)
{
    return DER(
        pool, 0x75,
        DER(pool, 0x7F61, BYTES("\x02\x01\x01"),
            DER(pool, 0x7F60, DER(pool, 0xA1, BYTES("\x81\x01\x02")),
                DER(pool, 0x7F2E,
                    DER(pool, 0x80,
                        BYTES("\xff\xd8\xff\xe0\0\4AB\xff\xc0\0\x11\x08\0\2\0"
                              "\3\3"))))));
}

/* The list of the certificates that follow. */
#define CHIP_LIST(pool, ...)                                                   \
    chip_list(pool, (const idv_bytes_t[]){ __VA_ARGS__ },                      \
              sizeof((const idv_bytes_t[]){ __VA_ARGS__ })                     \
                  / sizeof(idv_bytes_t))

__attribute__((unused)) static idv_csca_list_t *
chip_list(apr_pool_t *pool, const idv_bytes_t *certificates, size_t count)
{
    idv_csca_list_t *list = idv_csca_list_create(pool);

    for (size_t i = 0; i < count; i++)
        assert_null(
            idv_csca_list_add(list, certificates[i], "list 2026-01", NULL));
    return list;
}

#endif
