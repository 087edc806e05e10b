/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/passport_findings.h"

#include <math.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "methods/document/document_findings.h"
#include "methods/passport/chip_dump.h"
#include "methods/passport/csca_list.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Limits of what a reader may claim. */
#define SERIAL_MAX 128 /* hexadecimal digits */
#define FINGERPRINT_LENGTH 64
#define MILLISECONDS_MAX 600000

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

/* The zone as findings of a document that was read with certainty, so that one
 * format and one reader serve both methods. */
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
    root = json_pack("{s:b, s:s?, s:O?, s:o, s:o, s:o, s:o, s:s?, s:f}",
                     "readable", findings->readable, "hint",
                     idv_passport_hint_code(findings->hint), "zone", zone,
                     "checks", checks_json(&findings->checks), "signer",
                     certificate_json(findings->signer), "csca",
                     certificate_json(findings->csca), "portrait",
                     portrait_json(&findings->portrait), "reader",
                     findings->reader, "milliseconds", findings->milliseconds);
    if (!root)
        return idv_error_internal(pool, "findings could not be written");
    *text = idv_json_text(idv_json_own(root, pool), pool);
    *length = strlen(*text);
    return NULL;
}

/* --- reading --- */

/* A walk through foreign findings. The first deviation is kept and ends
 * nothing, so that each value below is read in one line; what is returned
 * after it does not count. */
typedef struct {
    const char *fault; /* the place; NULL: none so far */
    apr_pool_t *pool;
} reading_t;

static void fault(reading_t *reading, const char *place)
{
    if (!reading->fault)
        reading->fault = place;
}

/* Non-zero when OBJECT is one of exactly COUNT members. */
static int has_members(reading_t *reading, const json_t *object, int count,
                       const char *place)
{
    int good =
        json_is_object(object) && json_object_size(object) == (size_t)count;

    if (!good)
        fault(reading, place);
    return good;
}

static int read_boolean(reading_t *reading, const json_t *object,
                        const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_boolean(value))
        fault(reading, key);
    return json_is_true(value);
}

static int read_integer(reading_t *reading, const json_t *object,
                        const char *key, int most)
{
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);

    if (!json_is_integer(value) || number < 0 || number > most) {
        fault(reading, key);
        return 0;
    }
    return (int)number;
}

/* A time that is stated: the first second of 1950 or later, where the years of
 * certificates begin, and before the year 10000. */
static idv_time_t read_time(reading_t *reading, const json_t *object,
                            const char *key)
{
    const json_t *value = json_object_get(object, key);
    json_int_t time = json_integer_value(value);

    if (!json_is_integer(value) || time < -631152000 * IDV_SECOND
        || time > (IDV_LATEST_SECOND + 1) * IDV_SECOND)
        fault(reading, key);
    return time;
}

/* A string of printable characters, or NULL for null. */
static const char *read_text(reading_t *reading, const json_t *object,
                             const char *key, size_t most)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    int good = json_is_null(value) || (text && length > 0 && length <= most);

    for (size_t i = 0; good && i < length; i++)
        good = (unsigned char)text[i] >= ' ' && text[i] != 0x7f;
    if (!good)
        fault(reading, key);
    return good && text ? apr_pstrmemdup(reading->pool, text, length) : NULL;
}

/* A string of characters out of SET, or NULL for null. */
static const char *read_word(reading_t *reading, const json_t *object,
                             const char *key, size_t most, const char *set)
{
    const char *text = read_text(reading, object, key, most);

    if (text && text[strspn(text, set)] != '\0') {
        fault(reading, key);
        return NULL;
    }
    return text;
}

static idv_passport_hint_t read_hint(reading_t *reading, const json_t *root)
{
    const char *code = read_text(reading, root, "hint", 64);

    for (int i = 1; code && i < COUNT(hint_codes); i++)
        if (strcmp(hint_codes[i], code) == 0)
            return i;
    if (code)
        fault(reading, "hint");
    return IDV_PASSPORT_HINT_NONE;
}

/* A chip knows one source of a document: a zone. */
static const idv_document_t *read_zone(reading_t *reading, const json_t *root)
{
    const json_t *value = json_object_get(root, "zone");
    idv_document_findings_t *findings;
    const char *text;

    if (!value || json_is_null(value)) {
        if (!value)
            fault(reading, "zone");
        return NULL;
    }
    text = idv_json_text(value, reading->pool);
    if (!json_is_object(value)
        || idv_document_findings_read(text, strlen(text), &findings,
                                      reading->pool)
        || !findings->readable
        || findings->document->source == IDV_DOCUMENT_SOURCE_PDF417_AAMVA) {
        fault(reading, "zone");
        return NULL;
    }
    return findings->document;
}

static void read_check(reading_t *reading, const json_t *value,
                       idv_passport_checks_t *checks)
{
    const char *code, *why;
    int name, reason = IDV_PASSPORT_REASON_NONE;

    if (!has_members(reading, value, 2, "checks"))
        return;
    code = read_text(reading, value, "name", 64);
    why = read_text(reading, value, "reason", 64);
    name = code ? idv_passport_check_find(code) : -1;
    if (why)
        reason = idv_passport_reason_find(why);
    if (name < 0 || name >= IDV_PASSPORT_CHECKS_OF_READING || reason < 0
        || (why && (int)idv_passport_reason_check(reason) != name)
        || checks->is_made[name]) {
        fault(reading, "checks");
        return;
    }
    idv_passport_checks_pass(checks, name);
    if (why)
        idv_passport_checks_object(checks, reason);
}

static void read_checks(reading_t *reading, const json_t *root,
                        idv_passport_checks_t *checks)
{
    const json_t *list = json_object_get(root, "checks"), *value;
    size_t index;

    if (!json_is_array(list)
        || json_array_size(list) > IDV_PASSPORT_CHECKS_OF_READING) {
        fault(reading, "checks");
        return;
    }
    json_array_foreach (list, index, value)
        read_check(reading, value, checks);
}

static const idv_passport_certificate_t *
read_certificate(reading_t *reading, const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    idv_passport_certificate_t *certificate =
        apr_pcalloc(reading->pool, sizeof(*certificate));

    if (json_is_null(value) || !has_members(reading, value, 6, key))
        return NULL;
    certificate->country =
        read_word(reading, value, "country", 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    certificate->serial =
        read_word(reading, value, "serial", SERIAL_MAX, "0123456789abcdef");
    certificate->fingerprint = read_word(
        reading, value, "fingerprint", FINGERPRINT_LENGTH, "0123456789abcdef");
    certificate->not_before = read_time(reading, value, "not_before");
    certificate->not_after = read_time(reading, value, "not_after");
    certificate->source =
        read_text(reading, value, "source", IDV_CSCA_SOURCE_MAX);
    if ((certificate->country && strlen(certificate->country) != 2)
        || !certificate->serial || !certificate->fingerprint
        || strlen(certificate->fingerprint) != FINGERPRINT_LENGTH)
        fault(reading, key);
    return certificate;
}

static void read_portrait(reading_t *reading, const json_t *root,
                          idv_portrait_t *portrait)
{
    const json_t *value = json_object_get(root, "portrait");
    const char *code;
    int format;

    if (json_is_null(value) || !has_members(reading, value, 5, "portrait"))
        return;
    code = read_text(reading, value, "format", 64);
    format = code ? idv_portrait_format_find(code) : -1;
    portrait->offset =
        read_integer(reading, value, "offset", IDV_CHIP_DUMP_MAX);
    portrait->length =
        read_integer(reading, value, "length", IDV_CHIP_DUMP_MAX);
    portrait->width =
        read_integer(reading, value, "width", IDV_PORTRAIT_SIDE_MAX);
    portrait->height =
        read_integer(reading, value, "height", IDV_PORTRAIT_SIDE_MAX);
    if (format < 0 || portrait->length == 0 || portrait->width == 0
        || portrait->height == 0)
        fault(reading, "portrait");
    else
        portrait->format = format;
}

/* Findings that no reader of ours makes. */
static void check_sense(reading_t *reading,
                        const idv_passport_findings_t *findings)
{
    const idv_passport_checks_t *checks = &findings->checks;
    idv_passport_state_t chain =
        idv_passport_checks_state(checks, IDV_PASSPORT_CHECK_CERTIFICATE_CHAIN);

    if (findings->readable != (findings->document != NULL)
        || findings->readable == (findings->hint != IDV_PASSPORT_HINT_NONE))
        fault(reading, "readable");
    if ((chain != IDV_PASSPORT_NOT_MADE) != (findings->signer != NULL)
        || (chain == IDV_PASSPORT_PASSED) != (findings->csca != NULL)
        || (findings->signer && findings->signer->source)
        || (findings->csca && !findings->csca->source))
        fault(reading, "csca");
    if (findings->portrait.length > 0
        && idv_passport_checks_state(checks, IDV_PASSPORT_CHECK_PORTRAIT)
               != IDV_PASSPORT_PASSED)
        fault(reading, "portrait");
    if (findings->readable
        && (!checks->is_made[IDV_PASSPORT_CHECK_SECURITY_OBJECT]
            || !checks->is_made[IDV_PASSPORT_CHECK_ACTIVE_AUTHENTICATION]
            || !checks->is_made[IDV_PASSPORT_CHECK_CHIP_AUTHENTICATION]))
        fault(reading, "checks");
}

static void read_root(reading_t *reading, const json_t *root,
                      idv_passport_findings_t *findings)
{
    const json_t *time = json_object_get(root, "milliseconds");
    double milliseconds = json_number_value(time);

    if (!has_members(reading, root, 9, "members"))
        return;
    findings->readable = read_boolean(reading, root, "readable");
    findings->hint = read_hint(reading, root);
    findings->document = read_zone(reading, root);
    read_checks(reading, root, &findings->checks);
    findings->signer = read_certificate(reading, root, "signer");
    findings->csca = read_certificate(reading, root, "csca");
    read_portrait(reading, root, &findings->portrait);
    findings->reader = read_text(reading, root, "reader", IDV_CHIP_READER_MAX);
    if (!json_is_number(time) || !isfinite(milliseconds) || milliseconds < 0
        || milliseconds > MILLISECONDS_MAX)
        fault(reading, "milliseconds");
    findings->milliseconds = milliseconds;
    check_sense(reading, findings);
}

idv_error_t *idv_passport_findings_read(const char *text, apr_size_t length,
                                        idv_passport_findings_t **out,
                                        apr_pool_t *result)
{
    idv_passport_findings_t *findings = apr_pcalloc(result, sizeof(*findings));
    reading_t reading = {NULL, result};
    json_t *root;

    if (length > IDV_PASSPORT_FINDINGS_MAX)
        return idv_error_internal(result, "findings: longer than %d bytes",
                                  IDV_PASSPORT_FINDINGS_MAX);
    if (idv_json_parse(text, length, &root, result))
        return idv_error_internal(result, "findings: not a JSON object");
    read_root(&reading, root, findings);
    if (reading.fault)
        return idv_error_internal(result, "findings: %s is not as agreed",
                                  reading.fault);
    *out = findings;
    return NULL;
}
