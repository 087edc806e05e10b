/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/document_findings.h"

#include <math.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Limits of what a reader may claim. */
#define TEXT_MAX 256 /* bytes of a name or number */
#define REPAIRS_MAX 64
#define PIXELS_MAX 65535
#define SHARPNESS_MAX 1e6
#define MILLISECONDS_MAX 600000

static const char *const hint_codes[] = {
    NULL,
#define X(name, code) code,
    IDV_DOCUMENT_HINTS(X)
#undef X
};

const char *idv_document_hint_code(idv_document_hint_t hint)
{
    return hint_codes[hint];
}

/* --- writing --- */

static json_t *date_or_null(idv_date_t date)
{
    char text[IDV_DATE_TEXT_SIZE];

    return date.year ? json_string(idv_date_format(date, text)) : json_null();
}

static json_t *document_json(const idv_document_t *document)
{
    char sex[2] = { document->sex, '\0' };

    return json_pack(
        "{s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:o, s:o, s:o, s:s?, s:s?}",
        "kind", idv_document_kind_code(document->kind), "issuing_country",
        document->issuing_country, "issuing_region", document->issuing_region,
        "number", document->number, "surname", document->surname, "given_names",
        document->given_names, "date_of_birth",
        date_or_null(document->date_of_birth), "date_of_expiry",
        date_or_null(document->date_of_expiry), "date_of_issue",
        date_or_null(document->date_of_issue), "sex",
        document->sex ? sex : NULL, "nationality", document->nationality);
}

static json_t *checks_json(const idv_document_t *document)
{
    json_t *checks = json_array();

    for (int i = 0; document && i < document->checks->nelts; i++) {
        const idv_document_check_t *check =
            &APR_ARRAY_IDX(document->checks, i, idv_document_check_t);

        json_array_append_new(
            checks,
            json_pack("{s:s, s:b, s:s?}", "name",
                      idv_document_check_code(check->name), "passed",
                      check->reason == IDV_DOCUMENT_REASON_NONE, "reason",
                      idv_document_reason_code(check->reason)));
    }
    return checks;
}

static json_t *comparison_json(idv_document_comparison_t comparison)
{
    return comparison == IDV_DOCUMENT_NOT_COMPARED
               ? json_null()
               : json_boolean(comparison == IDV_DOCUMENT_MATCHES);
}

idv_error_t *
idv_document_findings_write(const idv_document_findings_t *findings,
                            const char **text, apr_size_t *length,
                            apr_pool_t *pool)
{
    const idv_document_t *document = findings->document;
    const idv_document_quality_t *quality = &findings->quality;
    json_t *root = json_pack(
        "{s:b, s:s?, s:s?, s:b, s:f, s:o, s:o, s:i, s:o, s:s?,"
        " s:{s:i, s:i, s:f, s:f}, s:f}",
        "readable", findings->readable, "hint",
        idv_document_hint_code(findings->hint), "source",
        document ? idv_document_source_code(document->source) : NULL,
        "readers_agree", findings->readers_agree, "confidence",
        findings->confidence, "document",
        document ? document_json(document) : json_null(), "checks",
        checks_json(document), "repairs", document ? document->repairs : 0,
        "barcode_cross_ref_match",
        comparison_json(findings->barcode_cross_reference), "confirmed_by",
        findings->is_confirmed
            ? idv_document_source_code(findings->confirmed_by)
            : NULL,
        "quality", "width",
        quality->width, "height", quality->height, "sharpness",
        quality->sharpness, "glare", quality->glare, "milliseconds",
        findings->milliseconds);

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

static json_t *member(reading_t *reading, const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (!value)
        fault(reading, key);
    return value;
}

/* Non-zero when OBJECT is one of exactly COUNT members. */
static int has_members(reading_t *reading, const json_t *object, int count,
                       const char *place)
{
    int good = json_is_object(object)
               && json_object_size(object) == (size_t)count;

    if (!good)
        fault(reading, place);
    return good;
}

static int read_boolean(reading_t *reading, const json_t *object,
                        const char *key)
{
    const json_t *value = member(reading, object, key);

    if (!json_is_boolean(value))
        fault(reading, key);
    return json_is_true(value);
}

static double read_number(reading_t *reading, const json_t *object,
                          const char *key, double most)
{
    const json_t *value = member(reading, object, key);
    double number = json_number_value(value);

    if (json_is_number(value) && isfinite(number) && number >= 0
        && number <= most)
        return number;
    fault(reading, key);
    return 0;
}

static int read_integer(reading_t *reading, const json_t *object,
                        const char *key, int most)
{
    if (!json_is_integer(member(reading, object, key)))
        fault(reading, key);
    return (int)read_number(reading, object, key, most);
}

/* A string without control characters or NULL for null. */
static const char *read_text(reading_t *reading, const json_t *object,
                             const char *key)
{
    const json_t *value = member(reading, object, key);
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    int good = json_is_null(value)
               || (text && length > 0 && length <= TEXT_MAX);

    for (size_t i = 0; good && i < length; i++)
        good = (unsigned char)text[i] >= ' ' && text[i] != 0x7f;
    if (!good)
        fault(reading, key);
    return good && text ? apr_pstrmemdup(reading->pool, text, length) : NULL;
}

/* A code of two or three capitals or digits, or NULL for null. */
static const char *read_code(reading_t *reading, const json_t *object,
                             const char *key, size_t shortest, size_t longest)
{
    const char *code = read_text(reading, object, key);
    size_t length = code ? strlen(code) : 0;

    if (code
        && (length < shortest || length > longest
            || strspn(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != length))
        fault(reading, key);
    return code;
}

static idv_date_t read_date(reading_t *reading, const json_t *object,
                            const char *key, int may_be_open)
{
    const char *text = read_text(reading, object, key);
    idv_date_t date = { 0, 0, 0 };

    if (text
        && (idv_date_parse(text, &date, reading->pool)
            || (!may_be_open && !idv_date_is_complete(date))))
        fault(reading, key);
    return date;
}

static char read_sex(reading_t *reading, const json_t *object)
{
    const char *text = read_text(reading, object, "sex");

    if (text && (strlen(text) != 1 || !strchr("MFX", *text)))
        fault(reading, "sex");
    return text ? *text : 0;
}

static idv_document_hint_t read_hint(reading_t *reading, const json_t *root)
{
    const char *code = read_text(reading, root, "hint");

    for (int i = 1; code && i < COUNT(hint_codes); i++)
        if (strcmp(hint_codes[i], code) == 0)
            return i;
    if (code)
        fault(reading, "hint");
    return IDV_DOCUMENT_HINT_NONE;
}

static void read_check(reading_t *reading, const json_t *value,
                       idv_document_t *document)
{
    const char *code, *why;
    int name, passed, reason;

    if (!has_members(reading, value, 3, "checks"))
        return;
    code = read_text(reading, value, "name");
    why = read_text(reading, value, "reason");
    passed = read_boolean(reading, value, "passed");
    name = code ? idv_document_check_find(code) : -1;
    reason = why ? idv_document_reason_find(why) : IDV_DOCUMENT_REASON_NONE;
    if (name < 0 || reason < 0 || passed != (why == NULL)
        || (why && (int)idv_document_reason_check(reason) != name)
        || idv_document_find_check(document, name))
        fault(reading, "checks");
    else
        idv_document_check(document, name, reason);
}

static void read_checks(reading_t *reading, const json_t *root,
                        idv_document_t *document)
{
    const json_t *checks = member(reading, root, "checks"), *value;
    size_t index;

    if (!json_is_array(checks)
        || json_array_size(checks) > IDV_DOCUMENT_CHECK_COUNT
        || (!document && json_array_size(checks) > 0)) {
        fault(reading, "checks");
        return;
    }
    json_array_foreach(checks, index, value)
        read_check(reading, value, document);
    for (int name = 0; document && name < IDV_DOCUMENT_CHECK_COUNT; name++)
        if (idv_document_check_is_due(document->source, name)
            && !idv_document_find_check(document, name))
            fault(reading, "checks");
}

static void read_facts(reading_t *reading, const json_t *value,
                       idv_document_t *document)
{
    const char *kind = read_text(reading, value, "kind");
    int found = kind ? idv_document_kind_find(kind) : -1;

    if (found < 0)
        fault(reading, "kind");
    document->kind = found;
    document->issuing_country =
        read_code(reading, value, "issuing_country", 2, 2);
    document->issuing_region =
        read_code(reading, value, "issuing_region", 1, 3);
    document->number = read_text(reading, value, "number");
    document->surname = read_text(reading, value, "surname");
    document->given_names = read_text(reading, value, "given_names");
    document->date_of_birth = read_date(reading, value, "date_of_birth", 1);
    document->date_of_expiry = read_date(reading, value, "date_of_expiry", 0);
    document->date_of_issue = read_date(reading, value, "date_of_issue", 0);
    document->sex = read_sex(reading, value);
    document->nationality = read_code(reading, value, "nationality", 2, 2);
}

/* The document with its checks; NULL where the findings say null. */
static idv_document_t *read_document(reading_t *reading, const json_t *root)
{
    const json_t *value = member(reading, root, "document");
    const char *code = read_text(reading, root, "source");
    int source = code ? idv_document_source_find(code) : -1;
    int repairs = read_integer(reading, root, "repairs", REPAIRS_MAX);
    idv_document_t *document = NULL;

    if ((code && source < 0) || json_is_null(value) != (code == NULL)) {
        fault(reading, "source");
        return NULL;
    }
    if (!json_is_null(value)) {
        document = idv_document_create(source, reading->pool);
        document->repairs = repairs;
        if (has_members(reading, value, 11, "document"))
            read_facts(reading, value, document);
    }
    read_checks(reading, root, document);
    return document;
}

static idv_document_comparison_t read_comparison(reading_t *reading,
                                                 const json_t *root)
{
    const char *key = "barcode_cross_ref_match";

    if (json_is_null(member(reading, root, key)))
        return IDV_DOCUMENT_NOT_COMPARED;
    return read_boolean(reading, root, key) ? IDV_DOCUMENT_MATCHES
                                            : IDV_DOCUMENT_DIFFERS;
}

static void read_confirmation(reading_t *reading, const json_t *root,
                              idv_document_findings_t *findings)
{
    const char *key = "confirmed_by", *code = read_text(reading, root, key);
    int source = code ? idv_document_source_find(code) : -1;

    if (!code)
        return;
    if (source < 0 || !findings->document
        || findings->barcode_cross_reference != IDV_DOCUMENT_MATCHES
        || !idv_document_sources_are_independent(findings->document->source,
                                                 source)) {
        fault(reading, key);
        return;
    }
    findings->is_confirmed = 1;
    findings->confirmed_by = source;
}

static void read_quality(reading_t *reading, const json_t *root,
                         idv_document_quality_t *quality)
{
    const json_t *value = member(reading, root, "quality");

    if (!has_members(reading, value, 4, "quality"))
        return;
    quality->width = read_integer(reading, value, "width", PIXELS_MAX);
    quality->height = read_integer(reading, value, "height", PIXELS_MAX);
    quality->sharpness =
        read_number(reading, value, "sharpness", SHARPNESS_MAX);
    quality->glare = read_number(reading, value, "glare", 1);
}

static void read_root(reading_t *reading, const json_t *root,
                      idv_document_findings_t *findings)
{
    if (!has_members(reading, root, 12, "members"))
        return;
    findings->readable = read_boolean(reading, root, "readable");
    findings->hint = read_hint(reading, root);
    findings->readers_agree = read_boolean(reading, root, "readers_agree");
    findings->confidence = read_number(reading, root, "confidence", 1);
    findings->document = read_document(reading, root);
    findings->barcode_cross_reference = read_comparison(reading, root);
    read_confirmation(reading, root, findings);
    read_quality(reading, root, &findings->quality);
    findings->milliseconds =
        read_number(reading, root, "milliseconds", MILLISECONDS_MAX);
    if (findings->readable != (findings->document != NULL)
        || findings->readable == (findings->hint != IDV_DOCUMENT_HINT_NONE))
        fault(reading, "readable");
}

idv_error_t *idv_document_findings_read(const char *text, apr_size_t length,
                                        idv_document_findings_t **out,
                                        apr_pool_t *result)
{
    idv_document_findings_t *findings = apr_pcalloc(result, sizeof(*findings));
    reading_t reading = { NULL, result };
    json_t *root;

    if (length > IDV_DOCUMENT_FINDINGS_MAX)
        return idv_error_internal(result, "findings: longer than %d bytes",
                                  IDV_DOCUMENT_FINDINGS_MAX);
    if (idv_json_parse(text, length, &root, result))
        return idv_error_internal(result, "findings: not a JSON object");
    read_root(&reading, root, findings);
    if (reading.fault)
        return idv_error_internal(result, "findings: %s is not as agreed",
                                  reading.fault);
    *out = findings;
    return NULL;
}
