/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/certificate.h"

#include <string.h>

#include <openssl/err.h>
#include <openssl/x509.h>

#include "domain/value/civil_date.h"
#include "methods/passport/tlv.h"

#define UTC_TIME 0x17
#define GENERALIZED_TIME 0x18
#define EXTENSIONS_MAX 64
#define YEAR_MIN 1950 /* the first year of UTCTime */

/* --- times --- */

/* The number in two digits at TEXT; -1 if they are not digits. */
static int two_digits(const unsigned char *text)
{
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
        return -1;
    return (text[0] - '0') * 10 + text[1] - '0';
}

/* The time of RFC 5280, 4.1.2.5: YYMMDDHHMMSSZ, or with a four-digit year; 0
 * for anything else. That would be 1970, when there were no certificates. */
idv_time_t idv_certificate_time(idv_bytes_t text, int is_generalized)
{
    apr_size_t year_length = is_generalized ? 4 : 2;
    const unsigned char *p = text.data;
    idv_date_t date;
    int parts[6];

    if (text.length != year_length + 11 || p[year_length + 10] != 'Z')
        return 0;
    parts[0] = is_generalized ? two_digits(p) : 0;
    for (int i = 0; i < 6; i++) {
        int part = two_digits(p + year_length - 2 + 2 * i);

        if (part < 0 || parts[0] < 0)
            return 0;
        parts[i] = i == 0 ? parts[0] * 100 + part : part;
    }
    if (!is_generalized)
        parts[0] += parts[0] < 50 ? 2000 : 1900;
    date = (idv_date_t){parts[0], parts[1], parts[2]};
    if (!idv_date_is_complete(date) || parts[3] > 23 || parts[4] > 59
        || parts[5] > 60)
        return 0;
    return idv_date_days(date) * IDV_DAY + parts[3] * IDV_HOUR
         + parts[4] * IDV_MINUTE + parts[5] * IDV_SECOND;
}

static idv_time_t read_time(idv_tlv_reader_t *reader)
{
    idv_tlv_t element = idv_tlv_read(reader);
    idv_time_t time = 0;

    if (element.tag == UTC_TIME || element.tag == GENERALIZED_TIME)
        time = idv_certificate_time(element.content,
                                    element.tag == GENERALIZED_TIME);
    if (time == 0)
        *reader->fault = 1;
    return time;
}

/* --- names --- */

/* The countryName of a Name, in upper case; empty if there is none. */
static void read_country(idv_bytes_t name, int *fault, char country[3])
{
    idv_tlv_reader_t outer = idv_tlv_open(name, fault);
    idv_tlv_reader_t parts = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE);

    country[0] = '\0';
    while (idv_tlv_has_more(&parts)) {
        idv_tlv_reader_t set = idv_tlv_enter(&parts, IDV_TLV_SET);
        idv_tlv_reader_t pair = idv_tlv_enter(&set, IDV_TLV_SEQUENCE);
        idv_bytes_t type = idv_tlv_expect(&pair, IDV_TLV_OBJECT).content;
        idv_bytes_t value = idv_tlv_read(&pair).content;

        if (!idv_bytes_equal(type, IDV_TLV_BYTES("\x55\x04\x06"))
            || value.length != 2)
            continue;
        for (int i = 0; i < 2; i++) {
            char c = (char)value.data[i];

            country[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
            if (country[i] < 'A' || country[i] > 'Z') {
                country[0] = '\0';
                return;
            }
        }
        country[2] = '\0';
    }
}

static X509_NAME *name_of(idv_bytes_t bytes)
{
    const unsigned char *at = bytes.data;

    return d2i_X509_NAME(NULL, &at, (long)bytes.length);
}

int idv_certificate_names_match(idv_bytes_t a, idv_bytes_t b)
{
    X509_NAME *first, *second;
    int match;

    if (a.length == 0 || b.length == 0)
        return 0;
    if (idv_bytes_equal(a, b))
        return 1;
    first = name_of(a);
    second = name_of(b);
    match = first && second && X509_NAME_cmp(first, second) == 0;
    X509_NAME_free(first);
    X509_NAME_free(second);
    ERR_clear_error();
    return match;
}

/* --- extensions --- */

static void read_key_id(idv_tlv_reader_t *value, idv_certificate_t *certificate)
{
    certificate->key_id = idv_tlv_expect(value, IDV_TLV_OCTET_STRING).content;
}

/* AuthorityKeyIdentifier ::= SEQUENCE { [0] keyIdentifier OPTIONAL, ... } */
static void read_authority_key_id(idv_tlv_reader_t *value,
                                  idv_certificate_t *certificate)
{
    idv_tlv_reader_t reader = idv_tlv_enter(value, IDV_TLV_SEQUENCE);

    if (idv_tlv_peek(&reader) == 0x80)
        certificate->authority_key_id = idv_tlv_read(&reader).content;
}

static void read_crl_points(idv_tlv_reader_t *value,
                            idv_certificate_t *certificate)
{
    certificate->crl_points = idv_tlv_expect(value, IDV_TLV_SEQUENCE).whole;
}

/* A BIT STRING; its first byte is the number of unused bits. */
static void read_key_usage(idv_tlv_reader_t *value,
                           idv_certificate_t *certificate)
{
    idv_bytes_t bits = idv_tlv_expect(value, IDV_TLV_BIT_STRING).content;

    certificate->has_key_usage = 1;
    if (bits.length >= 2)
        certificate->key_usage = bits.data[1];
}

static void read_basic_constraints(idv_tlv_reader_t *value,
                                   idv_certificate_t *certificate)
{
    idv_tlv_reader_t reader = idv_tlv_enter(value, IDV_TLV_SEQUENCE);

    certificate->has_basic_constraints = 1;
    if (idv_tlv_peek(&reader) == IDV_TLV_BOOLEAN) {
        idv_bytes_t flag = idv_tlv_read(&reader).content;

        certificate->is_authority = flag.length == 1 && flag.data[0] != 0;
    }
}

/* [0] notBefore, [1] notAfter, both GeneralizedTime. */
static void read_key_usage_period(idv_tlv_reader_t *value,
                                  idv_certificate_t *certificate)
{
    idv_tlv_reader_t reader = idv_tlv_enter(value, IDV_TLV_SEQUENCE);

    while (idv_tlv_has_more(&reader)) {
        idv_tlv_t element = idv_tlv_read(&reader);

        if (element.tag == 0x80)
            certificate->key_used_from =
                idv_certificate_time(element.content, 1);
        else if (element.tag == 0x81)
            certificate->key_used_until =
                idv_certificate_time(element.content, 1);
    }
}

static void read_extended_key_usage(idv_tlv_reader_t *value,
                                    idv_certificate_t *certificate)
{
    idv_tlv_reader_t reader = idv_tlv_enter(value, IDV_TLV_SEQUENCE);

    while (idv_tlv_has_more(&reader))
        if (idv_bytes_equal(idv_tlv_read(&reader).content,
                            IDV_TLV_BYTES("\x67\x81\x08\x01\x01\x03")))
            certificate->signs_master_lists = 1;
}

/* SEQUENCE { version INTEGER, SET OF PrintableString } */
static void read_document_types(idv_tlv_reader_t *value,
                                idv_certificate_t *certificate)
{
    idv_tlv_reader_t reader = idv_tlv_enter(value, IDV_TLV_SEQUENCE), types;

    idv_tlv_read_integer(&reader);
    types = idv_tlv_enter(&reader, IDV_TLV_SET);
    while (idv_tlv_has_more(&types)) {
        idv_bytes_t type = idv_tlv_read(&types).content;
        int at = certificate->document_type_count;

        if (at < IDV_CERTIFICATE_DOCUMENT_TYPES_MAX && type.length > 0
            && type.length <= 2) {
            memcpy(certificate->document_types[at], type.data, type.length);
            certificate->document_type_count++;
        }
    }
}

/* Known extensions that need no reading. */
static void pass_over(idv_tlv_reader_t *value, idv_certificate_t *certificate)
{
    (void)value;
    (void)certificate;
}

/* id-ce (2.5.29) and icao-mrtd-security-extensions (2.23.136.1.1.6). */
static const struct {
    const char *object;
    size_t length;
    void (*read)(idv_tlv_reader_t *value, idv_certificate_t *certificate);
} extensions[] = {
    {"\x55\x1d\x0e", 3, read_key_id},
    {"\x55\x1d\x0f", 3, read_key_usage},
    {"\x55\x1d\x10", 3, read_key_usage_period},
    {"\x55\x1d\x11", 3, pass_over}, /* subject alternative name */
    {"\x55\x1d\x12", 3, pass_over}, /* issuer alternative name */
    {"\x55\x1d\x13", 3, read_basic_constraints},
    {"\x55\x1d\x1f", 3, read_crl_points},
    {"\x55\x1d\x20", 3, pass_over}, /* certificate policies */
    {"\x55\x1d\x23", 3, read_authority_key_id},
    {"\x55\x1d\x25", 3, read_extended_key_usage},
    {"\x67\x81\x08\x01\x01\x06\x01", 7, pass_over}, /* change of name */
    {"\x67\x81\x08\x01\x01\x06\x02", 7, read_document_types},
};

/* Reads an extension. A fault in a non-critical extension is ignored. */
static void read_extension(idv_bytes_t object, int is_critical,
                           idv_bytes_t value, idv_certificate_t *certificate)
{
    int fault = 0;
    idv_tlv_reader_t reader = idv_tlv_open(value, &fault);

    for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++)
        if (extensions[i].length == object.length
            && memcmp(extensions[i].object, object.data, object.length) == 0) {
            extensions[i].read(&reader, certificate);
            if (fault && is_critical)
                certificate->has_unknown_critical = 1;
            return;
        }
    if (is_critical)
        certificate->has_unknown_critical = 1;
}

static void read_extensions(idv_tlv_reader_t *tbs,
                            idv_certificate_t *certificate)
{
    idv_tlv_reader_t outer = idv_tlv_enter(tbs, IDV_TLV_CONTEXT(3));
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE);

    for (int i = 0; idv_tlv_has_more(&reader); i++) {
        idv_tlv_reader_t one = idv_tlv_enter(&reader, IDV_TLV_SEQUENCE);
        idv_bytes_t object = idv_tlv_expect(&one, IDV_TLV_OBJECT).content;
        int is_critical = 0;

        if (idv_tlv_peek(&one) == IDV_TLV_BOOLEAN) {
            idv_bytes_t flag = idv_tlv_read(&one).content;

            is_critical = flag.length == 1 && flag.data[0] != 0;
        }
        if (i == EXTENSIONS_MAX)
            *reader.fault = 1;
        read_extension(object, is_critical,
                       idv_tlv_expect(&one, IDV_TLV_OCTET_STRING).content,
                       certificate);
    }
}

/* --- the certificate --- */

/* TBSCertificate ::= SEQUENCE { [0] version, serialNumber, signature, issuer,
 * validity, subject, subjectPublicKeyInfo, [1] [2] unique identifiers, [3]
 * extensions } (RFC 5280, 4.1) */
static void read_tbs(idv_tlv_reader_t *tbs, idv_certificate_t *certificate)
{
    idv_tlv_reader_t validity;

    if (idv_tlv_peek(tbs) == IDV_TLV_CONTEXT(0))
        idv_tlv_read(tbs);
    certificate->serial = idv_tlv_expect(tbs, IDV_TLV_INTEGER).content;
    /* The algorithm appears twice, but only one of them is signed. */
    if (!idv_bytes_equal(idv_tlv_expect(tbs, IDV_TLV_SEQUENCE).whole,
                         certificate->algorithm))
        *tbs->fault = 1;
    certificate->issuer = idv_tlv_expect(tbs, IDV_TLV_SEQUENCE).whole;
    validity = idv_tlv_enter(tbs, IDV_TLV_SEQUENCE);
    certificate->not_before = read_time(&validity);
    certificate->not_after = read_time(&validity);
    certificate->subject = idv_tlv_expect(tbs, IDV_TLV_SEQUENCE).whole;
    certificate->public_key = idv_tlv_expect(tbs, IDV_TLV_SEQUENCE).whole;
    read_country(certificate->subject, tbs->fault, certificate->country);
    while (idv_tlv_has_more(tbs)) {
        if (idv_tlv_peek(tbs) == IDV_TLV_CONTEXT(3))
            read_extensions(tbs, certificate);
        else
            idv_tlv_read(tbs);
    }
}

idv_error_t *idv_certificate_read(idv_bytes_t der,
                                  idv_certificate_t *certificate,
                                  apr_pool_t *pool)
{
    int fault = der.length > IDV_CERTIFICATE_MAX;
    idv_tlv_reader_t outer = idv_tlv_open(der, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE), inner;
    idv_tlv_t tbs = idv_tlv_expect(&reader, IDV_TLV_SEQUENCE);

    memset(certificate, 0, sizeof(*certificate));
    idv_tlv_finish(&outer);
    certificate->der = der;
    certificate->tbs = tbs.whole;
    certificate->algorithm = idv_tlv_expect(&reader, IDV_TLV_SEQUENCE).whole;
    certificate->signature = idv_tlv_read_bits(&reader);
    idv_tlv_finish(&reader);
    inner = idv_tlv_open(tbs.content, &fault);
    read_tbs(&inner, certificate);
    if (fault || certificate->serial.length == 0
        || certificate->serial.length > 64)
        return idv_error_param(pool, NULL, "This is not an X.509 certificate.");
    return NULL;
}

idv_certificate_result_t
idv_certificate_verify(const idv_certificate_t *certificate,
                       const idv_certificate_t *issuer, apr_pool_t *pool)
{
    idv_signature_scheme_t scheme;
    EVP_PKEY *key;

    if (idv_public_key_read(issuer->public_key, &key, pool)
        || idv_signature_scheme_read(certificate->algorithm, NULL, &scheme,
                                     pool))
        return IDV_CERTIFICATE_UNSUPPORTED;
    if (idv_signature_is_right(key, &scheme, certificate->tbs,
                               certificate->signature))
        return IDV_CERTIFICATE_SIGNED;
    /* Signed with a scheme that the key does not allow: neither forged nor
     * proven. */
    key = idv_public_key_unrestricted(key, pool);
    return key
                && idv_signature_is_right(key, &scheme, certificate->tbs,
                                          certificate->signature)
             ? IDV_CERTIFICATE_UNSUPPORTED
             : IDV_CERTIFICATE_NOT_SIGNED;
}

int idv_certificate_may_sign_certificates(const idv_certificate_t *certificate)
{
    if (certificate->has_unknown_critical)
        return 0;
    if (certificate->has_key_usage)
        return (certificate->key_usage & IDV_KEY_USAGE_CERTIFICATE_SIGN) != 0;
    return !certificate->has_basic_constraints || certificate->is_authority;
}
