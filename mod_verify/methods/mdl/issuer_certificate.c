/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/issuer_certificate.h"

#include <ctype.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>
#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "core/word_list.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

#define SIGNER_PURPOSE "1.0.18013.5.1.2" /* ISO/IEC 18013-5, table B.3 */
#define SIGNER_DAYS_MAX 457              /* ibidem */
#define SERIAL_OCTETS_MAX 20             /* RFC 5280, 4.1.2.2 */
#define SECURITY_LEVEL 2                 /* of OpenSSL: 112 bits */

static const char *const fault_codes[] = {
    NULL,
#define X(name, code) code,
    IDV_PROFILE_FAULTS(X)
#undef X
};

const char *idv_profile_fault_code(idv_profile_fault_t fault)
{
    return fault_codes[fault];
}

int idv_profile_fault_find(const char *code)
{
    return idv_word_find(fault_codes, COUNT(fault_codes), code);
}

/* The only entry of this kind in a name, as UTF-8; NULL if there is none, if
 * there are several, or if it contains a NUL. */
static const char *name_entry(const X509_NAME *name, int kind, apr_pool_t *pool)
{
    int place = X509_NAME_get_index_by_NID(name, kind, -1);
    unsigned char *text = NULL;
    const char *copy = NULL;
    int length;

    if (place < 0 || X509_NAME_get_index_by_NID(name, kind, place) >= 0)
        return NULL;
    length = ASN1_STRING_to_UTF8(
        &text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, place)));
    if (length > 0 && !memchr(text, '\0', (size_t)length))
        copy = apr_pstrmemdup(pool, (char *)text, (apr_size_t)length);
    OPENSSL_free(text);
    return copy;
}

/* In capitals, even if the issuer writes small letters. */
static const char *country_of(const X509_NAME *name, apr_pool_t *pool)
{
    const char *country = name_entry(name, NID_countryName, pool);

    return country && strlen(country) == 2 && apr_isalpha(country[0])
                   && apr_isalpha(country[1])
               ? apr_psprintf(pool, "%c%c", apr_toupper(country[0]),
                              apr_toupper(country[1]))
               : NULL;
}

/* The part of an ISO 3166-2 code after the country. Certificates in use have
 * "US-MD", "MD", or a name; a name has no code. */
static const char *region_of(const X509_NAME *name, const char *country,
                             apr_pool_t *pool)
{
    const char *region = name_entry(name, NID_stateOrProvinceName, pool);

    if (region && country && strncmp(region, country, 2) == 0
        && region[2] == '-')
        region += 3;
    if (!region || !*region || strlen(region) > 3)
        return NULL;
    for (const char *at = region; *at; at++)
        if (!isupper((unsigned char)*at) && !isdigit((unsigned char)*at))
            return NULL;
    return region;
}

/* --- profile --- */

static int has_good_serial(X509 *certificate)
{
    const ASN1_INTEGER *serial = X509_get0_serialNumber(certificate);
    apr_int64_t zero = ASN1_STRING_length(serial) == 0
                       || (ASN1_STRING_length(serial) == 1
                           && ASN1_STRING_get0_data(serial)[0] == 0);

    return ASN1_STRING_type(serial) == V_ASN1_INTEGER && !zero
           && ASN1_STRING_length(serial) <= SERIAL_OCTETS_MAX;
}

static int has_good_term(X509 *certificate)
{
    int days = 0, seconds = 0;

    return ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(certificate),
                          X509_get0_notAfter(certificate))
               == 1
           && (days < SIGNER_DAYS_MAX
               || (days == SIGNER_DAYS_MAX && seconds == 0));
}

/* The content of the extension for key purposes. */
typedef struct {
    int is_critical;
    int has_ours;
    int count;
} purposes_t;

static purposes_t purposes_of(X509 *certificate)
{
    purposes_t found = {0, 0, 0};
    EXTENDED_KEY_USAGE *purposes = X509_get_ext_d2i(
        certificate, NID_ext_key_usage, &found.is_critical, NULL);
    char text[64];

    found.count = purposes ? sk_ASN1_OBJECT_num(purposes) : 0;
    for (int i = 0; i < found.count; i++) {
        OBJ_obj2txt(text, sizeof(text), sk_ASN1_OBJECT_value(purposes, i), 1);
        found.has_ours |= strcmp(text, SIGNER_PURPOSE) == 0;
    }
    EXTENDED_KEY_USAGE_free(purposes);
    return found;
}

/* For signing documents, but not for certifying. */
static int has_signer_usage(X509 *certificate)
{
    apr_uint32_t usage = X509_get_key_usage(certificate);

    /* UINT32_MAX if the extension is absent. */
    return usage != UINT32_MAX && usage & KU_DIGITAL_SIGNATURE
        && !(usage & (KU_KEY_CERT_SIGN | KU_CRL_SIGN));
}

static int is_critical(const X509 *certificate, int kind)
{
    X509_EXTENSION *extension = X509_get_ext(
        certificate, X509_get_ext_by_NID(certificate, kind, -1));

    return extension && X509_EXTENSION_get_critical(extension);
}

/* The part of the profile that also holds for a pinned signer. */
static idv_profile_fault_t common_form(X509 *certificate, apr_pool_t *pool)
{
    apr_uint32_t flags = X509_get_extension_flags(certificate);

    if (flags & EXFLAG_INVALID)
        return IDV_PROFILE_ENCODING;
    if (X509_get_version(certificate) != X509_VERSION_3)
        return IDV_PROFILE_VERSION;
    if (!has_good_serial(certificate))
        return IDV_PROFILE_SERIAL_NUMBER;
    if (!country_of(X509_get_subject_name(certificate), pool))
        return IDV_PROFILE_COUNTRY;
    return flags & EXFLAG_CRITICAL ? IDV_PROFILE_CRITICAL_EXTENSION
                                   : IDV_PROFILE_GOOD;
}

static idv_profile_fault_t signer_profile(X509 *certificate, apr_pool_t *pool)
{
    idv_profile_fault_t fault = common_form(certificate, pool);

    if (fault != IDV_PROFILE_GOOD)
        return fault;
    if (X509_get_extension_flags(certificate) & EXFLAG_CA)
        return IDV_PROFILE_IS_AUTHORITY;
    if (!has_signer_usage(certificate))
        return IDV_PROFILE_KEY_USAGE;
    return purposes_of(certificate).has_ours ? IDV_PROFILE_GOOD
                                             : IDV_PROFILE_EXTENDED_KEY_USAGE;
}

static unsigned pin_notes(X509 *certificate)
{
    apr_uint32_t flags = X509_get_extension_flags(certificate);

    return (unsigned)!!(flags & EXFLAG_SS) << IDV_PIN_ISSUER_SELF_SIGNED
         | (unsigned)!!(flags & EXFLAG_CA) << IDV_PIN_ISSUER_IS_AUTHORITY
         | (unsigned)!has_signer_usage(certificate)
               << IDV_PIN_ISSUER_KEY_USAGE_WRONG
         | (unsigned)!purposes_of(certificate).has_ours
               << IDV_PIN_ISSUER_PURPOSE_MISSING;
}

static idv_profile_deviation_t signer_deviation(X509 *certificate)
{
    purposes_t purposes = purposes_of(certificate);

    if (purposes.is_critical != 1)
        return IDV_DEVIATION_ISSUER_PURPOSE_NOT_CRITICAL;
    if (purposes.count > 1)
        return IDV_DEVIATION_ISSUER_PURPOSE_BROAD;
    if (!is_critical(certificate, NID_key_usage))
        return IDV_DEVIATION_ISSUER_KEY_USAGE_NOT_CRITICAL;
    if (X509_get_key_usage(certificate) != KU_DIGITAL_SIGNATURE)
        return IDV_DEVIATION_ISSUER_KEY_USAGE_BROAD;
    if (!has_good_term(certificate))
        return IDV_DEVIATION_ISSUER_TERM_LONG;
    return X509_get0_authority_key_id(certificate)
             ? IDV_PROFILE_CONFORMING
             : IDV_DEVIATION_ISSUER_AUTHORITY_KEY_MISSING;
}

/* Checks that SIGNER writes its country and region as AUTHORITY does, and as
 * the standard requires. Regions are compared only if both have one. */
static idv_profile_deviation_t place_deviation(X509 *signer, X509 *authority,
                                               apr_pool_t *pool)
{
    const X509_NAME *names[] = {X509_get_subject_name(signer),
                                X509_get_subject_name(authority)};
    const char *regions[2];

    for (int i = 0; i < 2; i++) {
        const char *written = name_entry(names[i], NID_countryName, pool);
        const char *country = country_of(names[i], pool);

        if (!country || strcmp(written, country) != 0)
            return IDV_DEVIATION_ISSUER_PLACE_UNUSUAL;
        regions[i] = name_entry(names[i], NID_stateOrProvinceName, pool);
    }
    return regions[0] && regions[1] && strcmp(regions[0], regions[1]) != 0
             ? IDV_DEVIATION_ISSUER_PLACE_UNUSUAL
             : IDV_PROFILE_CONFORMING;
}

static idv_profile_deviation_t authority_deviation(X509 *authority)
{
    if (X509_get_pathlen(authority) != 0)
        return IDV_DEVIATION_AUTHORITY_PATH_OPEN;
    return X509_get_key_usage(authority) & KU_CRL_SIGN
             ? IDV_PROFILE_CONFORMING
             : IDV_DEVIATION_AUTHORITY_KEY_USAGE_NARROW;
}

/* Non-zero if A and B have different regions, by their codes or by their names.
 * A code and a name cannot be compared. */
static int is_other_region(const X509_NAME *a, const X509_NAME *b,
                           const char *country, apr_pool_t *pool)
{
    const char *codes[] = {region_of(a, country, pool),
                           region_of(b, country, pool)};
    const char *texts[] = {name_entry(a, NID_stateOrProvinceName, pool),
                           name_entry(b, NID_stateOrProvinceName, pool)};

    if (codes[0] && codes[1])
        return strcmp(codes[0], codes[1]) != 0;
    return !codes[0] && !codes[1] && texts[0] && texts[1]
        && strcmp(texts[0], texts[1]) != 0;
}

/* Checks the profile of the authority, and the attributes that must be the same
 * in both. */
static idv_profile_fault_t common_profile(X509 *signer, X509 *authority,
                                          apr_pool_t *pool)
{
    const X509_NAME *own = X509_get_subject_name(signer);
    const X509_NAME *other = X509_get_subject_name(authority);
    const char *country = country_of(other, pool);
    apr_uint32_t usage = X509_get_key_usage(authority);

    if (X509_get_extension_flags(authority) & EXFLAG_INVALID
        || !(X509_get_extension_flags(authority) & EXFLAG_CA)
        || usage == UINT32_MAX || !(usage & KU_KEY_CERT_SIGN))
        return IDV_PROFILE_AUTHORITY_PROFILE;
    if (!country || strcmp(country, country_of(own, pool)) != 0)
        return IDV_PROFILE_AUTHORITY_COUNTRY;
    return is_other_region(own, other, country, pool)
             ? IDV_PROFILE_AUTHORITY_REGION
             : IDV_PROFILE_GOOD;
}

/* --- chain --- */

/* The state of one verification, for the callback below. */
static int keep_time_faults(int is_good, X509_STORE_CTX *context)
{
    int *is_current = X509_STORE_CTX_get_app_data(context);
    int error = X509_STORE_CTX_get_error(context);

    if (is_good)
        return 1;
    if (error != X509_V_ERR_CERT_NOT_YET_VALID
        && error != X509_V_ERR_CERT_HAS_EXPIRED)
        return 0;
    *is_current = 0;
    return 1;
}

/* Non-zero if AUTHORITY, the only one that is trusted, certifies SIGNER.
 * Whether both are currently valid is checked separately, since an expired
 * certificate is not a forged one. */
static int verifies(X509 *signer, X509 *authority, idv_time_t now,
                    int *is_current)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    X509_VERIFY_PARAM *rules;
    int is_good = 0;

    *is_current = 1;
    if (store && context && X509_STORE_add_cert(store, authority) == 1
        && X509_STORE_CTX_init(context, store, signer, NULL) == 1) {
        rules = X509_STORE_CTX_get0_param(context);
        /* A link certificate is also an anchor, although it is not
         * self-signed. */
        X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
        /* OpenSSL does not know the purpose of annex B. */
        X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_ANY);
        X509_VERIFY_PARAM_set_time(rules, (time_t)idv_time_seconds(now));
        X509_VERIFY_PARAM_set_auth_level(rules, SECURITY_LEVEL);
        X509_STORE_CTX_set_app_data(context, is_current);
        X509_STORE_CTX_set_verify_cb(context, keep_time_faults);
        is_good = X509_verify_cert(context) == 1;
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    ERR_clear_error();
    return is_good;
}

static int stands_for(const idv_trust_anchor_t *anchor, const char *doc_type)
{
    for (int i = 0; i < anchor->doc_type_count; i++)
        if (strcmp(anchor->doc_types[i], doc_type) == 0)
            return 1;
    return anchor->doc_type_count == 0;
}

static int equal_bytes(idv_bytes_t a, idv_bytes_t b)
{
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* Non-zero if the anchor's subject is the signer's issuer. */
static int has_issuers_names(X509 *signer, X509 *authority)
{
    const ASN1_OCTET_STRING *wanted = X509_get0_authority_key_id(signer);
    const ASN1_OCTET_STRING *own = X509_get0_subject_key_id(authority);

    return (!wanted || (own && ASN1_OCTET_STRING_cmp(wanted, own) == 0))
        && X509_NAME_cmp(X509_get_issuer_name(signer),
                         X509_get_subject_name(authority))
               == 0;
}

/* Returns the authority if CANDIDATE may certify the signer. A key identifier
 * in the signer must occur in the candidate's bytes; this avoids parsing most
 * candidates. */
static X509 *authority_in(const idv_trust_anchor_t *candidate, X509 *signer,
                          idv_bytes_t der, apr_pool_t *pool)
{
    const ASN1_OCTET_STRING *wanted = X509_get0_authority_key_id(signer);
    X509 *authority;

    if (candidate->is_signer)
        return equal_bytes(candidate->certificate, der) ? signer : NULL;
    if (wanted
        && (ASN1_STRING_length(wanted) == 0
            || !memmem(candidate->certificate.data,
                       candidate->certificate.length,
                       ASN1_STRING_get0_data(wanted),
                       (size_t)ASN1_STRING_length(wanted))))
        return NULL;
    authority = idv_x509_read(candidate->certificate, pool);
    return authority && has_issuers_names(signer, authority) ? authority : NULL;
}

/* Makes CANDIDATE the anchor. If the signer is its own anchor, no profile
 * applies. */
static void take_anchor(X509 *certificate, X509 *authority,
                        const idv_trust_anchor_t *candidate,
                        idv_signer_t *signer, apr_pool_t *pool)
{
    signer->anchor = candidate;
    signer->anchor_fingerprint =
        idv_x509_fingerprint(candidate->certificate, pool);
    signer->deviation = IDV_PROFILE_CONFORMING;
    signer->pin_notes = candidate->is_pinned ? pin_notes(certificate) : 0;
    if (candidate->is_signer)
        return;
    signer->deviation = signer_deviation(certificate);
    if (signer->deviation == IDV_PROFILE_CONFORMING)
        signer->deviation = authority_deviation(authority);
    if (signer->deviation == IDV_PROFILE_CONFORMING)
        signer->deviation = place_deviation(certificate, authority, pool);
}

/* Finds an anchor that certifies the signer. The signer itself takes precedence
 * over an authority; among several, the first that is current and conforms. */
static void find_anchor(X509 *certificate, idv_bytes_t der,
                        const char *doc_type, const idv_trust_t *trust,
                        idv_signer_t *signer, apr_pool_t *pool)
{
    idv_profile_fault_t own_profile = signer->profile;
    int count = trust->anchor_count;

    for (int i = 0; i < 2 * count; i++) {
        const idv_trust_anchor_t *candidate = &trust->anchors[i % count];
        int is_turn = (candidate->is_signer != 0) == (i < count);
        X509 *authority = is_turn && stands_for(candidate, doc_type)
                              ? authority_in(candidate, certificate, der, pool)
                              : NULL;
        idv_profile_fault_t profile = candidate->is_pinned
                                          ? common_form(certificate, pool)
                                      : candidate->is_signer ? IDV_PROFILE_GOOD
                                                             : own_profile;
        int is_current, is_good;

        if (!authority
            || !verifies(certificate, authority, trust->now, &is_current))
            continue;
        if (profile == IDV_PROFILE_GOOD && !candidate->is_signer)
            profile = common_profile(certificate, authority, pool);
        is_good = is_current && profile == IDV_PROFILE_GOOD;
        if (signer->anchor && !is_good)
            continue;
        take_anchor(certificate, authority, candidate, signer, pool);
        signer->profile = profile;
        signer->is_current = is_current;
        if (is_good)
            return;
    }
}

/* --- attributes --- */

static void read_out(X509 *certificate, idv_signer_t *signer, apr_pool_t *pool)
{
    const ASN1_INTEGER *serial = X509_get0_serialNumber(certificate);
    const X509_NAME *name = X509_get_subject_name(certificate);
    const X509_EXTENSION *points = X509_get_ext(
        certificate,
        X509_get_ext_by_NID(certificate, NID_crl_distribution_points, -1));
    const ASN1_OCTET_STRING *value =
        points ? X509_EXTENSION_get_data((X509_EXTENSION *)points) : NULL;
    int length = ASN1_STRING_length(serial);

    if (length > SERIAL_OCTETS_MAX)
        length = SERIAL_OCTETS_MAX;
    signer->serial =
        idv_hex(ASN1_STRING_get0_data(serial), (apr_size_t)length, pool);
    signer->country = country_of(name, pool);
    signer->region = region_of(name, signer->country, pool);
    signer->not_before = idv_x509_time(X509_get0_notBefore(certificate));
    signer->not_after = idv_x509_time(X509_get0_notAfter(certificate));
    if (value)
        signer->crl_address_count = idv_x509_crl_addresses(
            (idv_bytes_t){ASN1_STRING_get0_data(value),
                          (apr_size_t)ASN1_STRING_length(value)},
            signer->crl_addresses, pool);
}

idv_error_t *idv_signer_examine(idv_bytes_t der, const char *doc_type,
                                const idv_trust_t *trust, idv_signer_t **out,
                                apr_pool_t *pool)
{
    idv_signer_t *signer = apr_pcalloc(pool, sizeof(*signer));
    X509 *certificate = idv_x509_read(der, pool);

    *out = signer;
    if (certificate)
        signer->key = X509_get0_pubkey(certificate);
    if (!signer->key)
        return idv_error_param(pool, NULL,
                               "The signer's certificate is malformed.");
    signer->fingerprint = idv_x509_fingerprint(der, pool);
    read_out(certificate, signer, pool);
    signer->profile = signer_profile(certificate, pool);
    find_anchor(certificate, der, doc_type, trust, signer, pool);
    if (signer->pin_notes >> IDV_PIN_ISSUER_SELF_SIGNED & 1)
        signer->crl_address_count = 0;
    ERR_clear_error();
    return NULL;
}
