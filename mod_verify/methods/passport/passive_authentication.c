/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/passive_authentication.h"

#include <string.h>

#include "methods/passport/signed_data.h"
#include "methods/passport/tlv.h"

#define C(name) IDV_PASSPORT_CHECK_##name
#define R(name) IDV_PASSPORT_REASON_##name

#define DATA_GROUP_MAX 16
#define SIGNED_DATA_VERSION_MAX 5 /* of RFC 5652 */

/* The content of the security object. */
typedef struct {
    idv_bytes_t hash_algorithm;
    idv_bytes_t hashes[DATA_GROUP_MAX + 1]; /* by number; length 0: none */
} lds_object_t;

/* --- the security object --- */

/* LDSSecurityObject ::= SEQUENCE { version, hashAlgorithm,
 * SEQUENCE OF SEQUENCE { dataGroupNumber, dataGroupHashValue },
 * ldsVersionInfo, with version 1 only } (9303-10, 4.6.2.3) */
static idv_passport_reason_t read_lds_object(idv_bytes_t content,
                                             lds_object_t *object,
                                             idv_passive_authentication_t *out)
{
    int fault = 0;
    idv_tlv_reader_t outer = idv_tlv_open(content, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE), hashes;

    idv_tlv_finish(&outer);
    out->lds_version = idv_tlv_read_integer(&reader);
    if (!fault && out->lds_version > 1)
        return R(LDS_VERSION_UNKNOWN);
    object->hash_algorithm = idv_tlv_expect(&reader, IDV_TLV_SEQUENCE).whole;
    hashes = idv_tlv_enter(&reader, IDV_TLV_SEQUENCE);
    while (idv_tlv_has_more(&hashes)) {
        idv_tlv_reader_t pair = idv_tlv_enter(&hashes, IDV_TLV_SEQUENCE);
        int group = idv_tlv_read_integer(&pair);
        idv_bytes_t hash = idv_tlv_expect(&pair, IDV_TLV_OCTET_STRING).content;

        idv_tlv_finish(&pair);
        if (fault || group < 1 || group > DATA_GROUP_MAX || hash.length == 0
            || object->hashes[group].length > 0)
            return R(LDS_SECURITY_OBJECT_MALFORMED);
        object->hashes[group] = hash;
        out->listed |= 1u << group;
    }
    if (out->lds_version == 1)
        idv_tlv_expect(&reader, IDV_TLV_SEQUENCE);
    idv_tlv_finish(&reader);
    return fault || out->listed == 0 ? R(LDS_SECURITY_OBJECT_MALFORMED)
                                     : R(NONE);
}

/* icao-mrtd-security-ldsSecurityObject: the required type of the content. */
static int is_type_of_security_object(idv_bytes_t type)
{
    return idv_bytes_equal(type, IDV_TLV_BYTES("\x67\x81\x08\x01\x01\x01"));
}

/* Records REASON, about the encoding of the security object, if it applies. */
static void note(idv_passport_checks_t *checks, idv_passport_reason_t reason,
                 int applies)
{
    if (applies)
        idv_passport_checks_object(checks, reason);
}

static idv_passport_reason_t
read_security_object(idv_bytes_t file, idv_signed_data_t *data,
                     lds_object_t *object, idv_passive_authentication_t *out,
                     apr_pool_t *pool)
{
    int fault = 0;
    idv_tlv_reader_t outer = idv_tlv_open(file, &fault);
    idv_bytes_t info =
        idv_tlv_expect(&outer, idv_chip_file_tag(IDV_CHIP_SOD)).content;
    idv_passport_reason_t reason;
    idv_error_t *error;

    idv_tlv_finish(&outer);
    if (fault)
        return R(SECURITY_OBJECT_MALFORMED);
    error = idv_signed_data_read(info, data, pool);
    if (error)
        return error->param ? R(NOT_SIGNED_DATA) : R(SECURITY_OBJECT_MALFORMED);
    if (data->version < 1 || data->version > SIGNED_DATA_VERSION_MAX)
        return R(SIGNED_DATA_VERSION_WRONG);
    reason = read_lds_object(data->content, object, out);
    return reason == R(LDS_SECURITY_OBJECT_MALFORMED)
                && !is_type_of_security_object(data->content_type)
             ? R(CONTENT_TYPE_WRONG)
             : reason;
}

/* --- signer and signature --- */

static void check_signature(const idv_signed_data_t *data, EVP_PKEY *key,
                            idv_passport_checks_t *checks, apr_pool_t *pool)
{
    static const idv_passport_reason_t reasons[] = {
        [IDV_SIGNATURE_RIGHT] = R(NONE),
        [IDV_SIGNATURE_OTHER_SCHEME] = R(SIGNATURE_SCHEME_UNUSUAL),
        [IDV_SIGNATURE_TYPE_MISMATCH] = R(SIGNED_CONTENT_TYPE_MISMATCH),
        [IDV_SIGNATURE_DIGEST_MISMATCH] = R(MESSAGE_DIGEST_MISMATCH),
        [IDV_SIGNATURE_WRONG] = R(SIGNATURE_WRONG),
        [IDV_SIGNATURE_UNSUPPORTED] = R(SIGNATURE_ALGORITHM_UNSUPPORTED),
    };
    idv_passport_reason_t reason =
        reasons[idv_signed_data_verify(data, key, pool)];

    idv_passport_checks_pass(checks, C(SECURITY_OBJECT_SIGNATURE));
    if (reason != R(NONE))
        idv_passport_checks_object(checks, reason);
}

/* 9303-12, 7.1.1: requirements for a document signer. */
static int is_fit(const idv_certificate_t *signer)
{
    return !signer->has_unknown_critical && !signer->is_authority
        && (!signer->has_key_usage
            || signer->key_usage & IDV_KEY_USAGE_DIGITAL_SIGNATURE);
}

static void check_signer(const idv_signed_data_t *data,
                         idv_passport_checks_t *checks,
                         idv_passive_authentication_t *out, apr_pool_t *pool)
{
    idv_bytes_t der = idv_signed_data_signer(data, pool);
    EVP_PKEY *key;

    idv_passport_checks_pass(checks, C(DOCUMENT_SIGNER));
    if (der.length == 0) {
        idv_passport_checks_object(checks, R(DOCUMENT_SIGNER_MISSING));
        return;
    }
    if (idv_certificate_read(der, &out->signer, pool)) {
        idv_passport_checks_object(checks, R(DOCUMENT_SIGNER_MALFORMED));
        return;
    }
    out->has_signer = 1;
    if (!is_fit(&out->signer))
        idv_passport_checks_object(checks, R(DOCUMENT_SIGNER_UNFIT));
    if (idv_public_key_read(out->signer.public_key, &key, pool))
        idv_passport_checks_object(checks, R(DOCUMENT_SIGNER_KEY_UNSUPPORTED));
    else
        check_signature(data, key, checks, pool);
}

static void check_chain(const idv_csca_trust_t *trust,
                        idv_passport_checks_t *checks,
                        idv_passive_authentication_t *out, apr_pool_t *pool)
{
    static const idv_passport_reason_t reasons[] = {
        [IDV_CSCA_FOUND] = R(NONE),
        [IDV_CSCA_UNKNOWN] = R(CSCA_UNKNOWN),
        [IDV_CSCA_SIGNATURE_WRONG] = R(CSCA_SIGNATURE_WRONG),
        [IDV_CSCA_UNSUPPORTED] = R(CSCA_KEY_UNSUPPORTED),
    };
    idv_passport_reason_t reason;

    if (!out->has_signer)
        return;
    reason = reasons[idv_csca_list_find_issuer(trust->list, &out->signer,
                                               trust->now, &out->csca, pool)];
    idv_passport_checks_pass(checks, C(CERTIFICATE_CHAIN));
    if (reason != R(NONE))
        idv_passport_checks_object(checks, reason);
}

/* Checks the signer that DATA has chosen, and its issuer. */
static void check_chosen(const idv_signed_data_t *data,
                         const idv_csca_trust_t *trust,
                         idv_passport_checks_t *checks,
                         idv_passive_authentication_t *out, apr_pool_t *pool)
{
    check_signer(data, checks, out, pool);
    check_chain(trust, checks, out, pool);
}

/* Non-zero if all checks of the signer in CHECKS have passed. */
static int is_vouched_for(const idv_passport_checks_t *checks)
{
    return idv_passport_checks_state(checks, C(SECURITY_OBJECT_SIGNATURE))
            == IDV_PASSPORT_PASSED
        && idv_passport_checks_state(checks, C(DOCUMENT_SIGNER))
               == IDV_PASSPORT_PASSED
        && idv_passport_checks_state(checks, C(CERTIFICATE_CHAIN))
               == IDV_PASSPORT_PASSED;
}

/* One signer below a trusted CSCA whose signature is valid is enough. If there
 * is none, the first signer is reported. */
static void check_signers(idv_signed_data_t *data,
                          const idv_csca_trust_t *trust,
                          idv_passport_checks_t *checks,
                          idv_passive_authentication_t *out, apr_pool_t *pool)
{
    const idv_passport_checks_t before = *checks;
    const idv_passive_authentication_t read = *out;

    for (int i = 0; i < data->signer_count; i++) {
        idv_signed_data_choose(data, i, pool);
        *checks = before;
        *out = read;
        check_chosen(data, trust, checks, out, pool);
        if (is_vouched_for(checks))
            return;
    }
    if (data->signer_count > 1) {
        idv_signed_data_choose(data, 0, pool);
        *checks = before;
        *out = read;
        check_chosen(data, trust, checks, out, pool);
    }
}

/* --- data groups --- */

static void check_hashes(const idv_chip_dump_t *dump,
                         const lds_object_t *object,
                         idv_passport_checks_t *checks,
                         idv_passive_authentication_t *out)
{
    const EVP_MD *digest = idv_digest_find(object->hash_algorithm);
    unsigned char hash[EVP_MAX_MD_SIZE];

    idv_passport_checks_pass(checks, C(DATA_GROUP_HASHES));
    if (!digest) {
        idv_passport_checks_object(checks, R(HASH_ALGORITHM_UNSUPPORTED));
        return;
    }
    for (int file = 0; file < IDV_CHIP_FILE_COUNT; file++) {
        int group = idv_chip_file_data_group(file);

        if (group == 0 || dump->files[file].length == 0)
            continue;
        if (object->hashes[group].length == 0)
            idv_passport_checks_object(checks, R(DATA_GROUP_NOT_SIGNED));
        else if (idv_bytes_equal(idv_hash(digest, dump->files[file], hash),
                                 object->hashes[group]))
            out->matched |= 1u << group;
        else
            idv_passport_checks_object(checks, R(DATA_GROUP_HASH_WRONG));
    }
}

/* EF.COM is not signed, so no check fails because of it. But when somebody
 * copies a chip, they may omit from EF.COM what the chip would have to
 * prove. */
static void check_list(const idv_chip_dump_t *dump,
                       idv_passport_checks_t *checks,
                       const idv_passive_authentication_t *out,
                       apr_pool_t *pool)
{
    idv_data_groups_t announced;

    if (dump->files[IDV_CHIP_COM].length == 0)
        return;
    idv_passport_checks_pass(checks, C(DATA_GROUP_LIST));
    if (idv_ef_com_read(dump->files[IDV_CHIP_COM], &announced, pool)
        || announced & ~out->listed)
        idv_passport_checks_object(checks, R(DATA_GROUP_LIST_MISMATCH));
    else if (out->listed & ~announced)
        idv_passport_checks_object(checks, R(DATA_GROUP_NOT_ANNOUNCED));
}

void idv_passive_authenticate(const idv_chip_dump_t *dump,
                              const idv_csca_trust_t *trust,
                              idv_passport_checks_t *checks,
                              idv_passive_authentication_t *out,
                              apr_pool_t *pool)
{
    lds_object_t object = {.hash_algorithm = {NULL, 0}};
    idv_signed_data_t data;
    idv_passport_reason_t reason;

    memset(out, 0, sizeof(*out));
    reason = read_security_object(dump->files[IDV_CHIP_SOD], &data, &object,
                                  out, pool);
    idv_passport_checks_pass(checks, C(SECURITY_OBJECT));
    if (reason != R(NONE)) {
        idv_passport_checks_object(checks, reason);
        return;
    }
    note(checks, R(SECURITY_OBJECT_TYPE_UNUSUAL),
         !is_type_of_security_object(data.content_type));
    note(checks, R(SECURITY_OBJECT_VERSION_UNUSUAL), data.version != 3);
    note(checks, R(SEVERAL_SIGNERS), data.signer_count > 1);
    check_signers(&data, trust, checks, out, pool);
    check_hashes(dump, &object, checks, out);
    check_list(dump, checks, out, pool);
}
