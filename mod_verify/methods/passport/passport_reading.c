/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/passport_reading.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/document/mrz.h"
#include "methods/passport/active_authentication.h"
#include "methods/passport/passive_authentication.h"
#include "methods/passport/tlv.h"

#define C(name) IDV_PASSPORT_CHECK_##name
#define R(name) IDV_PASSPORT_REASON_##name

#define GROUP(number) ((idv_data_groups_t)1 << (number))

/* A reading in progress. */
typedef struct {
    const idv_passport_evidence_t *evidence;
    const idv_chip_dump_t *dump;
    idv_passive_authentication_t passive;
    idv_passport_findings_t *findings;
    idv_passport_checks_t *checks; /* the findings' */
    apr_pool_t *pool;
} reading_t;

/* Records the check NAME, with the REASON of its failure, or NONE. */
static void conclude(reading_t *reading, idv_passport_check_t name,
                     idv_passport_reason_t reason)
{
    idv_passport_checks_pass(reading->checks, name);
    if (reason != R(NONE))
        idv_passport_checks_object(reading->checks, reason);
}

/* --- the content of the files --- */

/* Non-zero if the country of a certificate fits that of the zone. The two may
 * differ: Kosovo's code is not in ISO 3166-1, and the regions of China issue
 * their own passports. */
static int is_state_of(const char *certificate, const char *zone)
{
    static const struct {
        const char *zone;
        const char *certificate;
    } others[] = {{"XK", "KS"}, {"CN", "HK"}, {"CN", "MO"}};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strcmp(others[i].zone, zone) == 0
            && strcmp(others[i].certificate, certificate) == 0)
            return 1;
    return strcmp(certificate, zone) == 0;
}

/* A document signer signs only for its own state, and a CSCA only for its own
 * signers. Otherwise, any trusted state could make passports of all others.
 * Organizations that the zone does not distinguish (XX) cannot be compared. */
static void check_issuing_state(reading_t *reading)
{
    const char *state = reading->findings->document->issuing_country;
    const char *signer = reading->passive.signer.country;
    const idv_csca_t *csca = reading->passive.csca;
    idv_passport_reason_t reason = R(NONE);

    if (!reading->passive.has_signer)
        return;
    if (!state || strcmp(state, "XX") == 0 || signer[0] == '\0')
        reason = R(ISSUING_STATE_UNKNOWN);
    else if (!is_state_of(signer, state)
             || (csca && !is_state_of(csca->certificate.country, state)))
        reason = R(ISSUING_STATE_MISMATCH);
    conclude(reading, C(ISSUING_STATE), reason);
}

/* Applies if the signer's certificate lists the codes of documents it may sign.
 * A single letter covers all codes that start with it. */
static void check_document_type(reading_t *reading, const idv_mrz_text_t *zone)
{
    const idv_certificate_t *signer = &reading->passive.signer;
    const char *code = zone->rows[0];
    int found = 0;

    if (!reading->passive.has_signer || signer->document_type_count == 0)
        return;
    for (int i = 0; i < signer->document_type_count; i++) {
        const char *type = signer->document_types[i];

        found |= type[0] == code[0] && (type[1] == '\0' || type[1] == code[1]);
    }
    conclude(reading, C(DOCUMENT_TYPE),
             found ? R(NONE) : R(DOCUMENT_TYPE_MISMATCH));
}

/* Non-zero if BIRTH, of a zone with two digits of the year, agrees with the
 * complete date FULL. */
static int is_same_birth(idv_date_t birth, idv_date_t full)
{
    return (birth.year == 0 || birth.year % 100 == full.year % 100)
        && (birth.month == 0 || birth.month == full.month)
        && (birth.day == 0 || birth.day == full.day);
}

/* DG11 has the full year, but a zone only two digits of it. */
static void settle_birth(reading_t *reading, idv_document_t *document)
{
    idv_personal_details_t details;

    if (!(reading->passive.matched & GROUP(11))
        || idv_dg11_read(reading->dump->files[IDV_CHIP_DG11], &details,
                         reading->pool)
        || details.date_of_birth.year == 0)
        return;
    if (is_same_birth(document->date_of_birth, details.date_of_birth)) {
        document->date_of_birth = details.date_of_birth;
        document->earlier_birth.year = 0;
        conclude(reading, C(DATE_OF_BIRTH_CROSS_CHECK), R(NONE));
    } else {
        conclude(reading, C(DATE_OF_BIRTH_CROSS_CHECK),
                 R(DATE_OF_BIRTH_CONTRADICTION));
    }
}

static void find_portrait(reading_t *reading)
{
    idv_bytes_t file = reading->dump->files[IDV_CHIP_DG2];

    if (file.length == 0)
        return;
    conclude(
        reading, C(PORTRAIT),
        idv_portrait_find(file, &reading->findings->portrait, reading->pool)
            ? R(PORTRAIT_UNREADABLE)
            : R(NONE));
}

/* --- whether the chip is genuine --- */

/* Why the key in the data group NUMBER cannot prove anything; NONE if it is
 * there and the issuer signed it. */
static idv_passport_reason_t key_objection(const reading_t *reading,
                                           idv_chip_file_t file,
                                           idv_passport_reason_t unsupported,
                                           idv_passport_reason_t not_done,
                                           idv_passport_reason_t unproven)
{
    idv_data_groups_t group = GROUP(idv_chip_file_data_group(file));

    if (reading->dump->files[file].length == 0)
        return reading->passive.listed & group ? not_done : unsupported;
    return reading->passive.matched & group ? R(NONE) : unproven;
}

/* Checks the signature of the server's challenge with the key of DG15. */
static idv_passport_reason_t verify_challenge(const reading_t *reading)
{
    static const idv_passport_reason_t reasons[] = {
        [IDV_CHALLENGE_SIGNED] = R(NONE),
        [IDV_CHALLENGE_SIGNED_IN_DER] = R(CHALLENGE_SIGNATURE_IN_DER),
        [IDV_CHALLENGE_NOT_SIGNED] = R(CHALLENGE_SIGNATURE_WRONG),
        [IDV_CHALLENGE_UNSUPPORTED] =
            R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED),
    };
    const idv_chip_dump_t *dump = reading->dump;
    idv_bytes_t challenge = reading->evidence->challenge, key;
    idv_security_infos_t infos = {.key_count = 0};

    if (dump->signature.length == 0)
        return R(ACTIVE_AUTHENTICATION_NOT_DONE);
    if (challenge.length == 0)
        return R(CHALLENGE_NOT_OURS);
    if (dump->challenge.length > 0
        && !idv_bytes_equal(dump->challenge, challenge))
        return R(CHALLENGE_MISMATCH);
    if (idv_dg15_read(dump->files[IDV_CHIP_DG15], &key, reading->pool))
        return R(ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED);
    if (reading->passive.matched & GROUP(14)
        && idv_dg14_read(dump->files[IDV_CHIP_DG14], &infos, reading->pool))
        infos.signature_algorithm.length = 0;
    return reasons[idv_challenge_verify(key, infos.signature_algorithm,
                                        challenge, dump->signature,
                                        reading->pool)];
}

static void check_active_authentication(reading_t *reading)
{
    idv_passport_reason_t reason = key_objection(
        reading, IDV_CHIP_DG15, R(ACTIVE_AUTHENTICATION_UNSUPPORTED),
        R(ACTIVE_AUTHENTICATION_NOT_DONE),
        R(ACTIVE_AUTHENTICATION_KEY_UNPROVEN));

    conclude(reading, C(ACTIVE_AUTHENTICATION),
             reason == R(NONE) ? verify_challenge(reading) : reason);
}

/* The result of the relay. Responses that fit no step count as no response. */
static idv_passport_reason_t end_of_relay(const reading_t *reading)
{
    static const idv_passport_reason_t reasons[] = {
        [IDV_CHIP_RELAY_WAITS] = R(CHIP_AUTHENTICATION_NOT_DONE),
        [IDV_CHIP_RELAY_PROVEN] = R(NONE),
        [IDV_CHIP_RELAY_DISPROVEN] = R(CHIP_KEY_WRONG),
        [IDV_CHIP_RELAY_OTHER_DATA] = R(CHIP_DATA_MISMATCH),
        [IDV_CHIP_RELAY_REFUSED] = R(CHIP_AUTHENTICATION_REFUSED),
        [IDV_CHIP_RELAY_UNSUPPORTED] = R(CHIP_AUTHENTICATION_UNSUPPORTED),
    };
    idv_bytes_t dg14 = reading->dump->files[IDV_CHIP_DG14];
    idv_security_infos_t infos;
    idv_chip_relay_step_t step;
    idv_chip_relay_t relay;

    if (idv_dg14_read(dg14, &infos, reading->pool) || infos.key_count == 0)
        return R(CHIP_AUTHENTICATION_UNSUPPORTED);
    if (!reading->evidence->relay)
        return R(CHIP_AUTHENTICATION_NOT_DONE);
    relay = *reading->evidence->relay;
    relay.dg14 = dg14;
    if (idv_chip_relay_step(&relay, &step, reading->pool))
        return R(CHIP_AUTHENTICATION_REFUSED);
    return reasons[step.status];
}

static void check_chip_authentication(reading_t *reading)
{
    idv_passport_reason_t reason = key_objection(
        reading, IDV_CHIP_DG14, R(CHIP_AUTHENTICATION_UNSUPPORTED),
        R(CHIP_AUTHENTICATION_NOT_DONE), R(CHIP_AUTHENTICATION_KEY_UNPROVEN));

    conclude(reading, C(CHIP_AUTHENTICATION),
             reason == R(NONE) ? end_of_relay(reading) : reason);
}

/* --- the findings --- */

static const idv_passport_certificate_t *
describe(const idv_certificate_t *certificate, const char *source,
         apr_pool_t *pool)
{
    idv_passport_certificate_t *told = apr_pcalloc(pool, sizeof(*told));
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_sha256(certificate->der.data, certificate->der.length, digest);
    if (certificate->country[0] != '\0')
        told->country = apr_pstrdup(pool, certificate->country);
    told->serial =
        idv_hex(certificate->serial.data, certificate->serial.length, pool);
    told->fingerprint = idv_hex(digest, sizeof(digest), pool);
    told->not_before = certificate->not_before;
    told->not_after = certificate->not_after;
    told->source = source;
    return told;
}

static void describe_certificates(reading_t *reading)
{
    const idv_passive_authentication_t *passive = &reading->passive;

    if (passive->has_signer) {
        reading->findings->signer =
            describe(&passive->signer, NULL, reading->pool);
        reading->findings->crl_address_count = idv_x509_crl_addresses(
            passive->signer.crl_points, reading->findings->crl_addresses,
            reading->pool);
    }
    if (passive->csca)
        reading->findings->csca = describe(
            &passive->csca->certificate, passive->csca->source, reading->pool);
}

idv_error_t *idv_passport_read(const idv_passport_evidence_t *evidence,
                               idv_passport_findings_t **out,
                               apr_pool_t *result)
{
    idv_passport_findings_t *findings = apr_pcalloc(result, sizeof(*findings));
    reading_t reading = {.evidence = evidence,
                         .dump = evidence->dump,
                         .findings = findings,
                         .checks = &findings->checks,
                         .pool = result};
    idv_csca_trust_t trust = {evidence->list, evidence->now};
    idv_document_t *document;
    idv_mrz_text_t zone;

    *out = findings;
    findings->reader = evidence->dump->reader;
    if (evidence->dump->files[IDV_CHIP_SOD].length == 0
        || evidence->dump->files[IDV_CHIP_DG1].length == 0) {
        findings->hint = IDV_PASSPORT_HINT_CHIP_INCOMPLETE;
        return NULL;
    }
    if (idv_dg1_read(evidence->dump->files[IDV_CHIP_DG1], &zone, result)) {
        findings->hint = IDV_PASSPORT_HINT_CHIP_UNREADABLE;
        return NULL;
    }
    IDV_TRY(idv_mrz_parse(&zone, evidence->now, &document, result));
    idv_passive_authenticate(evidence->dump, &trust, reading.checks,
                             &reading.passive, result);
    findings->document = document;
    findings->readable = 1;
    check_issuing_state(&reading);
    check_document_type(&reading, &zone);
    settle_birth(&reading, document);
    find_portrait(&reading);
    check_active_authentication(&reading);
    check_chip_authentication(&reading);
    describe_certificates(&reading);
    return NULL;
}
