/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/passport_findings.h"

#include <string.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "core/word_list.h"
#include "methods/document/document_findings.h"
#include "methods/findings_reader.h"
#include "methods/passport/chip_dump.h"
#include "methods/passport/csca_list.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Limits of what a reader may claim. */
#define SERIAL_MAX 128 /* hexadecimal digits */
#define FINGERPRINT_LENGTH 64
#define HEXADECIMAL "0123456789abcdef"

static const char *const hint_codes[] = {NULL,
#define X(name, code) code,
                                         IDV_PASSPORT_HINTS(X)
#undef X
};

const char *idv_passport_hint_code(idv_passport_hint_t hint)
{
    return hint_codes[hint];
}

/* --- writing --- */

/* Writes the zone as findings of a document that was read with certainty, so
 * that both methods share one format and one reader. */
static idv_error_t *zone_json(const idv_document_t *document, json_t **zone,
                              apr_pool_t *pool)
{
    idv_document_findings_t findings = {.readable = 1,
                                        .readers_agree = 1,
                                        .confidence = 1,
                                        .document = document};
    const char *text;
    apr_size_t length;

    *zone = NULL;
    if (!document)
        return NULL;
    IDV_TRY(idv_document_findings_write(&findings, &text, &length, pool));
    return idv_json_parse(text, length, zone, pool);
}

static json_t *checks_json(const idv_passport_checks_t *checks)
{
    json_t *list = json_array();

    for (int i = 0; i < IDV_PASSPORT_CHECKS_OF_READING; i++)
        if (checks->is_made[i])
            json_array_append_new(
                list, json_pack("{s:s, s:s?}", "name",
                                idv_passport_check_code(i), "reason",
                                idv_passport_reason_code(checks->reasons[i])));
    return list;
}

static json_t *certificate_json(const idv_passport_certificate_t *certificate)
{
    if (!certificate)
        return json_null();
    return json_pack(
        "{s:s?, s:s, s:s, s:I, s:I, s:s?}", "country", certificate->country,
        "serial", certificate->serial, "fingerprint", certificate->fingerprint,
        "not_before", (json_int_t)certificate->not_before, "not_after",
        (json_int_t)certificate->not_after, "source", certificate->source);
}

static json_t *addresses_json(const idv_passport_findings_t *findings)
{
    json_t *list = json_array();

    for (int i = 0; i < findings->crl_address_count; i++)
        json_array_append_new(list, json_string(findings->crl_addresses[i]));
    return list;
}

static json_t *portrait_json(const idv_portrait_t *portrait)
{
    if (portrait->length == 0)
        return json_null();
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "format",
                     idv_portrait_format_code(portrait->format), "offset",
                     portrait->offset, "length", portrait->length, "width",
                     portrait->width, "height", portrait->height);
}

idv_error_t *
idv_passport_findings_write(const idv_passport_findings_t *findings,
                            const char **text, apr_size_t *length,
                            apr_pool_t *pool)
{
    json_t *zone, *root;

    IDV_TRY(zone_json(findings->document, &zone, pool));
    root = json_pack("{s:b, s:s?, s:O?, s:o, s:o, s:o, s:o, s:o, s:s?, s:f}",
                     "readable", findings->readable, "hint",
                     idv_passport_hint_code(findings->hint), "zone", zone,
                     "checks", checks_json(&findings->checks), "signer",
                     certificate_json(findings->signer), "csca",
                     certificate_json(findings->csca), "crl_addresses",
                     addresses_json(findings), "portrait",
                     portrait_json(&findings->portrait), "reader",
                     findings->reader, "milliseconds", findings->milliseconds);
    if (!root)
        return idv_error_internal(pool, "findings could not be written");
    *text = idv_json_text(idv_json_own(root, pool), pool);
    *length = strlen(*text);
    return NULL;
}

/* --- reading --- */

/* A time between the first second of 1950, where the years of certificates
 * start, and the year 10000. */
static idv_time_t read_time(idv_findings_reading_t *reading,
                            const json_t *object, const char *key)
{
    return idv_findings_integer(reading, object, key, -631152000 * IDV_SECOND,
                                (IDV_LATEST_SECOND + 1) * IDV_SECOND);
}

static int find_hint(const char *code)
{
    return idv_word_find(hint_codes, COUNT(hint_codes), code);
}

static idv_passport_hint_t read_hint(idv_findings_reading_t *reading,
                                     const json_t *root)
{
    int found = idv_findings_code(reading, root, "hint", find_hint);

    return found < 0 ? IDV_PASSPORT_HINT_NONE : found;
}

/* A chip has only one source of a document: a zone. */
static const idv_document_t *read_zone(idv_findings_reading_t *reading,
                                       const json_t *root)
{
    const json_t *value = idv_findings_member(reading, root, "zone");
    idv_document_findings_t *findings;
    const char *text;

    if (!value || json_is_null(value))
        return NULL;
    text = idv_json_text(value, reading->pool);
    if (!json_is_object(value)
        || idv_document_findings_read(text, strlen(text), &findings,
                                      reading->pool)
        || !findings->readable
        || findings->document->source == IDV_DOCUMENT_SOURCE_PDF417_AAMVA) {
        idv_findings_fault(reading, "zone");
        return NULL;
    }
    return findings->document;
}

static void read_check(idv_findings_reading_t *reading, const json_t *value,
                       idv_passport_checks_t *checks)
{
    int name, reason;

    if (!idv_findings_has_members(reading, value, 2, "checks"))
        return;
    name = idv_findings_code(reading, value, "name", idv_passport_check_find);
    reason =
        idv_findings_code(reading, value, "reason", idv_passport_reason_find);
    if (name < 0 || name >= IDV_PASSPORT_CHECKS_OF_READING
        || (reason >= 0 && (int)idv_passport_reason_check(reason) != name)
        || checks->is_made[name]) {
        idv_findings_fault(reading, "checks");
        return;
    }
    idv_passport_checks_pass(checks, name);
    if (reason >= 0)
        idv_passport_checks_object(checks, reason);
}

static void read_checks(idv_findings_reading_t *reading, const json_t *root,
                        idv_passport_checks_t *checks)
{
    const json_t *list = idv_findings_array(reading, root, "checks",
                                            IDV_PASSPORT_CHECKS_OF_READING);
    const json_t *value;
    size_t index;

    json_array_foreach (list, index, value)
        read_check(reading, value, checks);
}

static const idv_passport_certificate_t *
read_certificate(idv_findings_reading_t *reading, const json_t *root,
                 const char *key)
{
    static const idv_findings_word_t country = {2, 2,
                                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"};
    static const idv_findings_word_t serial = {1, SERIAL_MAX, HEXADECIMAL};
    static const idv_findings_word_t fingerprint = {
        FINGERPRINT_LENGTH, FINGERPRINT_LENGTH, HEXADECIMAL};
    const json_t *value = idv_findings_member(reading, root, key);
    idv_passport_certificate_t *certificate =
        apr_pcalloc(reading->pool, sizeof(*certificate));

    if (json_is_null(value)
        || !idv_findings_has_members(reading, value, 6, key))
        return NULL;
    certificate->country =
        idv_findings_word(reading, value, "country", &country);
    certificate->serial = idv_findings_word(reading, value, "serial", &serial);
    certificate->fingerprint =
        idv_findings_word(reading, value, "fingerprint", &fingerprint);
    certificate->not_before = read_time(reading, value, "not_before");
    certificate->not_after = read_time(reading, value, "not_after");
    certificate->source =
        idv_findings_text(reading, value, "source", IDV_CSCA_SOURCE_MAX);
    if (!certificate->serial || !certificate->fingerprint)
        idv_findings_fault(reading, key);
    return certificate;
}

static int read_length(idv_findings_reading_t *reading, const json_t *object,
                       const char *key, int least, int most)
{
    return (int)idv_findings_integer(reading, object, key, least, most);
}

static void read_portrait(idv_findings_reading_t *reading, const json_t *root,
                          idv_portrait_t *portrait)
{
    const json_t *value = idv_findings_member(reading, root, "portrait");
    int format;

    if (json_is_null(value)
        || !idv_findings_has_members(reading, value, 5, "portrait"))
        return;
    format =
        idv_findings_code(reading, value, "format", idv_portrait_format_find);
    portrait->offset =
        read_length(reading, value, "offset", 0, IDV_CHIP_DUMP_MAX);
    portrait->length =
        read_length(reading, value, "length", 1, IDV_CHIP_DUMP_MAX);
    portrait->width =
        read_length(reading, value, "width", 1, IDV_PORTRAIT_SIDE_MAX);
    portrait->height =
        read_length(reading, value, "height", 1, IDV_PORTRAIT_SIDE_MAX);
    if (format < 0)
        idv_findings_fault(reading, "portrait");
    else
        portrait->format = format;
}

static void read_addresses(idv_findings_reading_t *reading, const json_t *root,
                           idv_passport_findings_t *findings)
{
    apr_array_header_t *list =
        apr_array_make(reading->pool, 1, sizeof(const char *));

    idv_findings_texts(reading, root, "crl_addresses", IDV_CRL_ADDRESSES_MAX,
                       IDV_CRL_ADDRESS_MAX, list);
    for (int i = 0; i < list->nelts && i < IDV_CRL_ADDRESSES_MAX; i++)
        findings->crl_addresses[findings->crl_address_count++] =
            APR_ARRAY_IDX(list, i, const char *);
}

/* Rejects findings that our reader never makes. */
static void check_sense(idv_findings_reading_t *reading,
                        const idv_passport_findings_t *findings)
{
    const idv_passport_checks_t *checks = &findings->checks;
    idv_passport_state_t chain =
        idv_passport_checks_state(checks, IDV_PASSPORT_CHECK_CERTIFICATE_CHAIN);

    if (findings->readable != (findings->document != NULL)
        || findings->readable == (findings->hint != IDV_PASSPORT_HINT_NONE))
        idv_findings_fault(reading, "readable");
    if ((chain != IDV_PASSPORT_NOT_MADE) != (findings->signer != NULL)
        || (chain == IDV_PASSPORT_PASSED) != (findings->csca != NULL)
        || (findings->signer && findings->signer->source)
        || (findings->csca && !findings->csca->source)
        || (!findings->signer && findings->crl_address_count > 0))
        idv_findings_fault(reading, "csca");
    if (findings->portrait.length > 0
        && idv_passport_checks_state(checks, IDV_PASSPORT_CHECK_PORTRAIT)
               != IDV_PASSPORT_PASSED)
        idv_findings_fault(reading, "portrait");
    if (findings->readable
        && (!checks->is_made[IDV_PASSPORT_CHECK_SECURITY_OBJECT]
            || !checks->is_made[IDV_PASSPORT_CHECK_ACTIVE_AUTHENTICATION]
            || !checks->is_made[IDV_PASSPORT_CHECK_CHIP_AUTHENTICATION]))
        idv_findings_fault(reading, "checks");
}

static void read_root(idv_findings_reading_t *reading, const json_t *root,
                      idv_passport_findings_t *findings)
{
    if (!idv_findings_has_members(reading, root, 10, "members"))
        return;
    findings->readable = idv_findings_boolean(reading, root, "readable");
    findings->hint = read_hint(reading, root);
    findings->document = read_zone(reading, root);
    read_checks(reading, root, &findings->checks);
    findings->signer = read_certificate(reading, root, "signer");
    findings->csca = read_certificate(reading, root, "csca");
    read_addresses(reading, root, findings);
    read_portrait(reading, root, &findings->portrait);
    findings->reader =
        idv_findings_text(reading, root, "reader", IDV_CHIP_READER_MAX);
    findings->milliseconds = idv_findings_number(reading, root, "milliseconds",
                                                 IDV_FINDINGS_MILLISECONDS_MAX);
    check_sense(reading, findings);
}

idv_error_t *idv_passport_findings_read(const char *text, apr_size_t length,
                                        idv_passport_findings_t **out,
                                        apr_pool_t *result)
{
    idv_passport_findings_t *findings = apr_pcalloc(result, sizeof(*findings));
    const idv_bytes_t bytes = {(const unsigned char *)text, length};
    idv_findings_reading_t reading;

    IDV_TRY(
        idv_findings_begin(&reading, bytes, IDV_PASSPORT_FINDINGS_MAX, result));
    read_root(&reading, reading.root, findings);
    IDV_TRY(idv_findings_end(&reading));
    *out = findings;
    return NULL;
}
