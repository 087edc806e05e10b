/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/document_findings.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "core/word_list.h"
#include "methods/findings_reader.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Limits of what a reader may claim. */
#define TEXT_MAX 256 /* bytes of a name or number */
#define REPAIRS_MAX 64
#define SIDES_MAX 2
#define PIXELS_MAX 65535
#define SHARPNESS_MAX 1e6

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
        "{s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:o, s:o, s:o, s:o, s:s?, s:s?,"
        " s:s?}",
        "kind", idv_document_kind_code(document->kind), "issuing_country",
        document->issuing_country, "issuing_region", document->issuing_region,
        "number", document->number, "surname", document->surname, "given_names",
        document->given_names, "date_of_birth",
        date_or_null(document->date_of_birth), "earlier_birth",
        date_or_null(document->earlier_birth), "date_of_expiry",
        date_or_null(document->date_of_expiry), "date_of_issue",
        date_or_null(document->date_of_issue), "sex",
        document->sex ? sex : NULL, "nationality", document->nationality,
        "truncation", *document->truncation ? document->truncation : NULL);
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

static json_t *portrait_json(idv_document_portrait_t portrait)
{
    return portrait == IDV_DOCUMENT_PORTRAIT_NOT_SOUGHT
               ? json_null()
               : json_boolean(portrait == IDV_DOCUMENT_PORTRAIT_FOUND);
}

static json_t *print_json(const idv_document_findings_t *findings)
{
    json_t *print = findings->print_was_sought ? json_object() : json_null();

    for (int i = 0; findings->print_was_sought && i < IDV_PRINT_FIELD_COUNT;
         i++)
        json_object_set_new(
            print, idv_print_field_code(i),
            json_string(idv_print_verdict_code(findings->print.of[i])));
    return print;
}

static json_t *trace_json(const idv_document_trace_t *trace)
{
    return trace->is_known ? json_real(trace->score) : json_null();
}

idv_error_t *
idv_document_findings_write(const idv_document_findings_t *findings,
                            const char **text, apr_size_t *length,
                            apr_pool_t *pool)
{
    const idv_document_t *document = findings->document;
    const idv_document_quality_t *quality = &findings->quality;
    json_t *root = json_pack(
        "{s:b, s:s?, s:s?, s:b, s:f, s:o, s:o, s:i, s:o, s:s?, s:i, s:s?, s:b, s:o, s:o,"
        " s:o, s:{s:i, s:i, s:f, s:f}, s:{s:o, s:o}, s:f}",
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
        "sides", findings->sides, "side", idv_document_side_code(findings->side),
        "cut", findings->is_cut, "area",
        idv_document_area_write(&findings->area), "portrait", portrait_json(findings->portrait),
        "print", print_json(findings), "quality", "width", quality->width,
        "height", quality->height, "sharpness", quality->sharpness, "glare",
        quality->glare, "traces", "raster", trace_json(&findings->raster),
        "paste", trace_json(&findings->paste), "milliseconds",
        findings->milliseconds);

    if (!root)
        return idv_error_internal(pool, "findings could not be written");
    *text = idv_json_text(idv_json_own(root, pool), pool);
    *length = strlen(*text);
    return NULL;
}

/* --- reading --- */

static const char *read_text(idv_findings_reading_t *reading,
                             const json_t *object, const char *key)
{
    return idv_findings_text(reading, object, key, TEXT_MAX);
}

/* A code of LEAST to MOST capitals or digits, or NULL for null. */
static const char *read_code(idv_findings_reading_t *reading,
                             const json_t *object, const char *key,
                             size_t least, size_t most)
{
    const idv_findings_word_t word = {least, most,
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"};

    return idv_findings_word(reading, object, key, &word);
}

static char read_sex(idv_findings_reading_t *reading, const json_t *object)
{
    static const idv_findings_word_t word = {1, 1, "MFX"};
    const char *text = idv_findings_word(reading, object, "sex", &word);

    return text ? *text : 0;
}

static void read_truncation(idv_findings_reading_t *reading,
                            const json_t *object, idv_document_t *document)
{
    static const idv_findings_word_t word = {3, 3, "TNU-"};
    const char *text = idv_findings_word(reading, object, "truncation", &word);

    if (text)
        apr_cpystrn(document->truncation, text, sizeof(document->truncation));
}

static int find_hint(const char *code)
{
    return idv_word_find(hint_codes, COUNT(hint_codes), code);
}

static idv_document_hint_t read_hint(idv_findings_reading_t *reading,
                                     const json_t *root)
{
    int found = idv_findings_code(reading, root, "hint", find_hint);

    return found < 0 ? IDV_DOCUMENT_HINT_NONE : found;
}

static void read_check(idv_findings_reading_t *reading, const json_t *value,
                       idv_document_t *document)
{
    const char *place = "checks";
    int name, passed, reason;

    if (!idv_findings_has_members(reading, value, 3, place))
        return;
    name = idv_findings_code(reading, value, "name", idv_document_check_find);
    reason =
        idv_findings_code(reading, value, "reason", idv_document_reason_find);
    passed = idv_findings_boolean(reading, value, "passed");
    if (name < 0 || passed != (reason < 0)
        || (reason >= 0 && (int)idv_document_reason_check(reason) != name)
        || idv_document_find_check(document, name))
        idv_findings_fault(reading, place);
    else
        idv_document_check(document, name,
                           reason < 0 ? IDV_DOCUMENT_REASON_NONE : reason);
}

static void read_checks(idv_findings_reading_t *reading, const json_t *root,
                        idv_document_t *document)
{
    const json_t *checks = idv_findings_array(
        reading, root, "checks", document ? IDV_DOCUMENT_CHECK_COUNT : 0);
    const json_t *value;
    size_t index;

    json_array_foreach (checks, index, value)
        read_check(reading, value, document);
    for (int name = 0; document && name < IDV_DOCUMENT_CHECK_COUNT; name++)
        if (idv_document_check_is_due(document->source, name)
            && !idv_document_find_check(document, name))
            idv_findings_fault(reading, "checks");
}

/* A century before the date of birth, or nothing. */
static void read_earlier_birth(idv_findings_reading_t *reading,
                               const json_t *value, idv_document_t *document)
{
    const char *key = "earlier_birth";
    idv_date_t earlier = idv_findings_date(reading, value, key, 1);
    idv_date_t birth = document->date_of_birth;

    if (earlier.year != 0
        && (birth.year != earlier.year + 100 || birth.month != earlier.month
            || birth.day != earlier.day))
        idv_findings_fault(reading, key);
    else
        document->earlier_birth = earlier;
}

static void read_facts(idv_findings_reading_t *reading, const json_t *value,
                       idv_document_t *document)
{
    const char *kind = read_text(reading, value, "kind");
    int found = kind ? idv_document_kind_find(kind) : -1;

    if (found < 0)
        idv_findings_fault(reading, "kind");
    document->kind = found;
    document->issuing_country =
        read_code(reading, value, "issuing_country", 2, 2);
    document->issuing_region =
        read_code(reading, value, "issuing_region", 1, 3);
    document->number = read_text(reading, value, "number");
    document->surname = read_text(reading, value, "surname");
    document->given_names = read_text(reading, value, "given_names");
    document->date_of_birth =
        idv_findings_date(reading, value, "date_of_birth", 1);
    read_earlier_birth(reading, value, document);
    document->date_of_expiry =
        idv_findings_date(reading, value, "date_of_expiry", 0);
    document->date_of_issue =
        idv_findings_date(reading, value, "date_of_issue", 0);
    document->sex = read_sex(reading, value);
    document->nationality = read_code(reading, value, "nationality", 2, 2);
    read_truncation(reading, value, document);
}

/* The document with its checks; NULL if the findings have null. */
static idv_document_t *read_document(idv_findings_reading_t *reading,
                                     const json_t *root)
{
    const json_t *value = idv_findings_member(reading, root, "document");
    const char *code = read_text(reading, root, "source");
    int source = code ? idv_document_source_find(code) : -1;
    int repairs =
        (int)idv_findings_integer(reading, root, "repairs", 0, REPAIRS_MAX);
    idv_document_t *document = NULL;

    if ((code && source < 0) || json_is_null(value) != (code == NULL)) {
        idv_findings_fault(reading, "source");
        return NULL;
    }
    if (!json_is_null(value)) {
        document = idv_document_create(source, reading->pool);
        document->repairs = repairs;
        if (idv_findings_has_members(reading, value, 13, "document"))
            read_facts(reading, value, document);
    }
    read_checks(reading, root, document);
    return document;
}

static idv_document_comparison_t
read_comparison(idv_findings_reading_t *reading, const json_t *root)
{
    const char *key = "barcode_cross_ref_match";

    if (json_is_null(idv_findings_member(reading, root, key)))
        return IDV_DOCUMENT_NOT_COMPARED;
    return idv_findings_boolean(reading, root, key) ? IDV_DOCUMENT_MATCHES
                                                    : IDV_DOCUMENT_DIFFERS;
}

static void read_confirmation(idv_findings_reading_t *reading,
                              const json_t *root,
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
        idv_findings_fault(reading, key);
        return;
    }
    findings->is_confirmed = 1;
    findings->confirmed_by = source;
}

static idv_document_portrait_t read_portrait(idv_findings_reading_t *reading,
                                             const json_t *root)
{
    const char *key = "portrait";

    if (json_is_null(idv_findings_member(reading, root, key)))
        return IDV_DOCUMENT_PORTRAIT_NOT_SOUGHT;
    return idv_findings_boolean(reading, root, key)
               ? IDV_DOCUMENT_PORTRAIT_FOUND
               : IDV_DOCUMENT_PORTRAIT_MISSING;
}

static void read_print(idv_findings_reading_t *reading, const json_t *root,
                       idv_document_findings_t *findings)
{
    const json_t *value = idv_findings_member(reading, root, "print");

    if (json_is_null(value))
        return;
    if (!findings->document
        || !idv_findings_has_members(reading, value, IDV_PRINT_FIELD_COUNT,
                                     "print")) {
        idv_findings_fault(reading, "print");
        return;
    }
    findings->print_was_sought = 1;
    for (int i = 0; i < IDV_PRINT_FIELD_COUNT; i++) {
        int verdict =
            idv_findings_code(reading, value, idv_print_field_code(i),
                              idv_print_verdict_find);

        if (verdict < 0)
            idv_findings_fault(reading, "print");
        else
            findings->print.of[i] = verdict;
    }
}

static void read_quality(idv_findings_reading_t *reading, const json_t *root,
                         idv_document_quality_t *quality)
{
    const json_t *value = idv_findings_member(reading, root, "quality");

    if (!idv_findings_has_members(reading, value, 4, "quality"))
        return;
    quality->width =
        (int)idv_findings_integer(reading, value, "width", 0, PIXELS_MAX);
    quality->height =
        (int)idv_findings_integer(reading, value, "height", 0, PIXELS_MAX);
    quality->sharpness =
        idv_findings_number(reading, value, "sharpness", SHARPNESS_MAX);
    quality->glare = idv_findings_number(reading, value, "glare", 1);
}

static void read_trace(idv_findings_reading_t *reading, const json_t *traces,
                       const char *key, idv_document_trace_t *trace)
{
    trace->is_known =
        !json_is_null(idv_findings_member(reading, traces, key));
    if (trace->is_known)
        trace->score = idv_findings_number(reading, traces, key, 1);
}

static void read_traces(idv_findings_reading_t *reading, const json_t *root,
                        idv_document_findings_t *findings)
{
    const json_t *value = idv_findings_member(reading, root, "traces");

    if (!idv_findings_has_members(reading, value, 2, "traces"))
        return;
    read_trace(reading, value, "raster", &findings->raster);
    read_trace(reading, value, "paste", &findings->paste);
    if (!findings->document
        && (findings->raster.is_known || findings->paste.is_known))
        idv_findings_fault(reading, "traces");
}

/* Findings of an older release do not say whether the document is cut. */
static void read_cut(idv_findings_reading_t *reading, const json_t *root,
                     idv_document_findings_t *findings)
{
    if (!json_object_get(root, "side") && !json_object_get(root, "cut"))
        return;
    findings->side = idv_document_side_read(reading, root);
    findings->is_cut = idv_findings_boolean(reading, root, "cut");
}

static void read_root(idv_findings_reading_t *reading, const json_t *root,
                      idv_document_findings_t *findings)
{
    int says_cut = json_object_get(root, "side") || json_object_get(root, "cut");
    int says_where = json_object_get(root, "area") != NULL;
    int members = 16 + (says_cut ? 2 : 0) + (says_where ? 1 : 0);

    if (!idv_findings_has_members(reading, root, members, "members"))
        return;
    findings->readable = idv_findings_boolean(reading, root, "readable");
    findings->hint = read_hint(reading, root);
    findings->readers_agree =
        idv_findings_boolean(reading, root, "readers_agree");
    findings->confidence = idv_findings_number(reading, root, "confidence", 1);
    findings->document = read_document(reading, root);
    findings->barcode_cross_reference = read_comparison(reading, root);
    read_confirmation(reading, root, findings);
    findings->sides =
        (int)idv_findings_integer(reading, root, "sides", 0, SIDES_MAX);
    read_cut(reading, root, findings);
    if (says_where)
        idv_document_area_read(reading, root, &findings->area);
    findings->portrait = read_portrait(reading, root);
    read_print(reading, root, findings);
    read_quality(reading, root, &findings->quality);
    read_traces(reading, root, findings);
    findings->milliseconds = idv_findings_number(reading, root, "milliseconds",
                                                 IDV_FINDINGS_MILLISECONDS_MAX);
    if (findings->readable != (findings->document != NULL)
        || findings->readable == (findings->hint != IDV_DOCUMENT_HINT_NONE))
        idv_findings_fault(reading, "readable");
    if (!findings->readable && findings->area.side != IDV_DOCUMENT_SIDE_NONE)
        idv_findings_fault(reading, "area");
    if (findings->is_cut
            ? !findings->readable
                  || (findings->side == IDV_DOCUMENT_SIDE_NONE
                      && findings->sides < 2)
            : findings->readable && findings->side != IDV_DOCUMENT_SIDE_NONE)
        idv_findings_fault(reading, "side");
}

idv_error_t *idv_document_findings_read(const char *text, apr_size_t length,
                                        idv_document_findings_t **out,
                                        apr_pool_t *result)
{
    idv_document_findings_t *findings = apr_pcalloc(result, sizeof(*findings));
    const idv_bytes_t bytes = {(const unsigned char *)text, length};
    idv_findings_reading_t reading;

    IDV_TRY(
        idv_findings_begin(&reading, bytes, IDV_DOCUMENT_FINDINGS_MAX, result));
    read_root(&reading, reading.root, findings);
    IDV_TRY(idv_findings_end(&reading));
    *out = findings;
    return NULL;
}
