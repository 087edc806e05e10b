/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/law/compliance_listing.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "cli/law/rules_input.h"
#include "domain/law/compliance_changes.h"
#include "domain/law/compliance_check.h"
#include "domain/value/jurisdiction.h"

/* The day of --as-of, by default today. */
static idv_error_t *read_day(const idv_call_t *call, idv_date_t *day)
{
    const char *given = idv_call_option(call, "as-of");

    *day = idv_date_at(idv_time_now(), 0);
    if (given
        && (idv_date_parse(given, day, call->pool)
            || !idv_date_is_complete(*day)))
        return idv_error_param(call->pool, "as_of",
                               "--as-of must be a day, YYYY-MM-DD.");
    return NULL;
}

static idv_compliance_check_t check_of(const char *jurisdiction, int use_case,
                                       idv_date_t day)
{
    return (idv_compliance_check_t){
        .jurisdiction = jurisdiction,
        .source = "explicit",
        .day = day,
        .count = 1,
        .use_cases = {(idv_use_case_t)use_case},
    };
}

/* The only result of the answer in TEXT. New reference. */
static json_t *result_in(const char *text)
{
    json_t *answer = json_loads(text, 0, NULL);
    json_t *result =
        json_incref(json_array_get(json_object_get(answer, "results"), 0));

    json_decref(answer);
    return result;
}

/* --- export --- */

static json_t *list_rules(const idv_compliance_rules_t *rules, idv_date_t day,
                          apr_pool_t *pool)
{
    const apr_array_header_t *codes =
        idv_compliance_rules_jurisdictions(rules, pool);
    json_t *list = json_array();

    for (int i = 0; i < codes->nelts; i++)
        for (int u = IDV_USE_CASE_NONE + 1; u < IDV_USE_CASE_COUNT; u++) {
            const idv_compliance_check_t check =
                check_of(APR_ARRAY_IDX(codes, i, const char *), u, day);
            json_t *rule =
                result_in(idv_compliance_check_text(rules, &check, pool));
            json_t *sources =
                result_in(idv_compliance_sources_text(rules, &check, pool));

            json_object_set(rule, "parts", json_object_get(sources, "parts"));
            json_decref(sources);
            json_array_append_new(list, rule);
        }
    return list;
}

/* A CSV field (RFC 4180). An apostrophe precedes text that a spreadsheet would
 * run as a formula. */
static void put_field(FILE *out, const char *text, int is_last)
{
    fputc('"', out);
    if (*text && strchr("=+-@\t\r", *text))
        fputc('\'', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputs(is_last ? "\"\r\n" : "\",", out);
}

/* The sources of all parts, in order. */
static const char *cite(const json_t *parts, apr_pool_t *pool)
{
    const json_t *part, *source;
    const char *cited = "";
    size_t i, j;

    json_array_foreach (parts, i, part)
        json_array_foreach (json_object_get(part, "sources"), j, source) {
            const char *url =
                json_string_value(json_object_get(source, "url"));

            cited = apr_pstrcat(
                pool, cited, *cited ? "; " : "",
                json_string_value(json_object_get(source, "citation")),
                url ? " " : "", url ? url : "", NULL);
        }
    return cited;
}

static const char *text_of(const json_t *value, apr_pool_t *pool)
{
    char *dumped;
    const char *text;

    if (!value || json_is_null(value))
        return "";
    if (json_is_string(value))
        return json_string_value(value);
    dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    text = dumped ? apr_pstrdup(pool, dumped) : "";
    free(dumped);
    return text;
}

/* The reviewer of the first of PARTS, which is the rule's own, with the dates
 * of this review and the next. Without a review, the date on which the sources
 * were read. */
static void put_review(FILE *out, const json_t *parts, apr_pool_t *pool)
{
    const json_t *own = json_array_get(parts, 0);
    const json_t *review = json_object_get(own, "review");

    put_field(out, text_of(json_object_get(own, "looked_up"), pool), 0);
    put_field(out, text_of(json_object_get(review, "by"), pool), 0);
    put_field(out, text_of(json_object_get(review, "on"), pool), 0);
    put_field(out, text_of(json_object_get(review, "next_due"), pool), 0);
}

static void print_csv(const json_t *list, FILE *out, apr_pool_t *pool)
{
    static const char *const columns[] = {
        "jurisdiction", "use_case", "known", "confidence", "prohibited",
        "prohibited_reason", "required_age", "born_before",
        "parental_consent_from", "consent_age", "allowed_methods",
        "mdl_acceptance_status", "physical_check_required",
        "governing_regulator", "consent_required", "penalty_description",
        "penalty_type", "credential_validity_days", "data_retention_days",
        "in_force_from", "in_force_until", "rule_version", "articles",
        "channels", "note"};
    static const char *const of_review[] = {"looked_up", "reviewed_by",
                                            "reviewed_on", "review_due"};
    const size_t count = sizeof(columns) / sizeof(*columns);
    const json_t *rule;
    size_t i;

    for (size_t c = 0; c < count; c++)
        put_field(out, columns[c], 0);
    for (size_t c = 0; c < sizeof(of_review) / sizeof(*of_review); c++)
        put_field(out, of_review[c], 0);
    put_field(out, "sources", 1);
    json_array_foreach (list, i, rule) {
        for (size_t c = 0; c < count; c++)
            put_field(out, text_of(json_object_get(rule, columns[c]), pool), 0);
        put_review(out, json_object_get(rule, "parts"), pool);
        put_field(out, cite(json_object_get(rule, "parts"), pool), 1);
    }
}

idv_error_t *idv_compliance_export(idv_call_t *call, json_t **answer)
{
    const char *format = idv_call_option(call, "format");
    idv_compliance_rules_t *rules;
    idv_date_t day;
    json_t *list;

    IDV_TRY(read_day(call, &day));
    if (format && strcmp(format, "json") != 0 && strcmp(format, "csv") != 0)
        return idv_error_param(call->pool, "format",
                               "--format must be json or csv.");
    IDV_TRY(idv_call_read_rules(call, call->arguments[0], &rules));
    list = list_rules(rules, day, call->pool);
    if (!format || strcmp(format, "json") == 0) {
        *answer = list;
        return NULL;
    }
    print_csv(list, stdout, call->pool);
    json_decref(list);
    return NULL;
}

/* --- diff --- */

/* The members in which two rules differ: `before` and `after`. */
static json_t *difference(const json_t *before, const json_t *after)
{
    json_t *changed = json_object(), *value;
    const char *name;

    json_object_foreach ((json_t *)after, name, value) {
        const json_t *old = json_object_get(before, name);

        if (!json_equal(value, old))
            json_object_set_new(changed, name,
                                json_pack("{s:O?, s:O}", "before", old,
                                          "after", value));
    }
    return changed;
}

static void compare(const idv_compliance_rules_t *const sets[2],
                    const idv_compliance_check_t *check, json_t *list,
                    apr_pool_t *pool)
{
    json_t *results[2], *changed;
    size_t own;

    for (int i = 0; i < 2; i++)
        results[i] =
            result_in(idv_compliance_check_text(sets[i], check, pool));
    changed = difference(results[0], results[1]);
    /* All answers of a country carry the version of its file, even if they did
     * not change. */
    own = json_object_get(changed, "rule_version") ? 1 : 0;
    if (json_object_size(changed) > own)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:O}", "jurisdiction",
                            check->jurisdiction, "use_case",
                            idv_use_case_value(check->use_cases[0]), "changed",
                            changed));
    json_decref(changed);
    for (int i = 0; i < 2; i++)
        json_decref(results[i]);
}

static int has_code(const apr_array_header_t *codes, const char *code)
{
    for (int i = 0; i < codes->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(codes, i, const char *), code) == 0)
            return 1;
    return 0;
}

idv_error_t *idv_compliance_diff(idv_call_t *call, json_t **answer)
{
    idv_compliance_rules_t *read;
    const idv_compliance_rules_t *sets[2];
    apr_array_header_t *codes, *more;
    idv_date_t day;
    json_t *list;

    IDV_TRY(read_day(call, &day));
    for (int i = 0; i < 2; i++) {
        IDV_TRY(idv_call_read_rules(call, call->arguments[i], &read));
        sets[i] = read;
    }
    codes = idv_compliance_rules_jurisdictions(sets[0], call->pool);
    more = idv_compliance_rules_jurisdictions(sets[1], call->pool);
    for (int i = 0; i < more->nelts; i++)
        if (!has_code(codes, APR_ARRAY_IDX(more, i, const char *)))
            APR_ARRAY_PUSH(codes, const char *) =
                APR_ARRAY_IDX(more, i, const char *);
    list = json_array();
    for (int i = 0; i < codes->nelts; i++)
        for (int u = IDV_USE_CASE_NONE + 1; u < IDV_USE_CASE_COUNT; u++) {
            const idv_compliance_check_t check =
                check_of(APR_ARRAY_IDX(codes, i, const char *), u, day);

            compare(sets, &check, list, call->pool);
        }
    *answer = list;
    return NULL;
}
