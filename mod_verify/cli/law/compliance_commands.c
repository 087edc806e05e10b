/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include "cli/command/table.h"
#include "cli/law/compliance_listing.h"
#include "cli/law/rules_input.h"
#include "domain/law/compliance_changes.h"
#include "domain/law/compliance_check.h"
#include "domain/value/jurisdiction.h"

/* The compliance rules: whether they are usable, what they require in a place,
 * and which changes are ahead. */

IDV_COMMAND(compliance_check_data)
{
    idv_compliance_rules_t *rules;
    idv_compliance_extent_t extent;

    IDV_TRY(idv_call_read_rules(call, call->arguments[0], &rules));
    idv_compliance_rules_extent(rules, &extent);
    *answer = json_pack(
        "{s:s, s:s, s:i, s:i, s:i, s:i}", "object", "compliance_rules",
        "directory", idv_call_rules_directory(call, call->arguments[0]),
        "countries", extent.countries, "regions", extent.regions, "rules",
        extent.rules, "unknown", extent.unknown);
    return NULL;
}

/* --- upcoming changes --- */

#define UPCOMING_YEARS 2

/* Every member of RULE, in the form of an API answer. */
static json_t *law(const idv_compliance_rule_t *rule, apr_pool_t *pool)
{
    return json_loads(idv_compliance_rule_text(rule, pool), 0, NULL);
}

static json_t *change_json(const idv_compliance_change_t *change,
                           apr_pool_t *pool)
{
    return json_pack("{s:s?, s:s, s:s, s:s?, s:s?, s:o, s:o}", "day",
                     change->day, "jurisdiction", change->jurisdiction,
                     "use_case", idv_use_case_value(change->use_case),
                     "article", idv_article_value(change->article), "channel",
                     change->channel == IDV_CHANNEL_IN_PERSON
                         ? NULL
                         : idv_channel_value(change->channel),
                     "before", law(change->before, pool), "after",
                     law(change->after, pool));
}

/* From today to --until, by default two years from today. */
static idv_error_t *read_days(const idv_call_t *call, idv_date_t *today,
                              idv_date_t *until)
{
    const char *given = idv_call_option(call, "until");

    *today = idv_date_at(idv_time_now(), 0);
    *until = *today;
    until->year += UPCOMING_YEARS;
    if (until->month == 2 && until->day == 29)
        until->day = 28;
    if (!given)
        return NULL;
    if (idv_date_parse(given, until, call->pool)
        || !idv_date_is_complete(*until)
        || idv_date_compare(*until, *today) < 0)
        return idv_error_param(call->pool, "until",
                               "--until must be a future day, YYYY-MM-DD.");
    return NULL;
}

IDV_COMMAND(compliance_upcoming)
{
    char first[IDV_DATE_TEXT_SIZE], last[IDV_DATE_TEXT_SIZE];
    idv_compliance_rules_t *rules;
    apr_array_header_t *changes;
    idv_date_t today, until;
    json_t *list;

    IDV_TRY(read_days(call, &today, &until));
    IDV_TRY(idv_call_read_rules(call, call->arguments[0], &rules));
    changes = idv_compliance_rules_changes(rules, today, until, call->pool);
    list = json_array();
    for (int i = 0; i < changes->nelts; i++)
        json_array_append_new(
            list,
            change_json(&APR_ARRAY_IDX(changes, i, idv_compliance_change_t),
                        call->pool));
    *answer = json_pack("{s:s, s:s, s:s, s:o}", "object", "compliance_upcoming",
                        "after", idv_date_format(today, first), "until",
                        idv_date_format(until, last), "changes", list);
    return NULL;
}

/* The text of VALUE for use in a sentence. */
static const char *text_of(const json_t *object, const char *name,
                           apr_pool_t *pool)
{
    const char *text = idv_table_text(object, name, pool);

    return *text ? text : "-";
}

/* One line for each change, followed by the values that it changes. */
static void print_upcoming(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    const json_t *changes = json_object_get(answer, "changes"), *change;
    const char *name;
    json_t *value;
    size_t i;

    fprintf(out, "after %s, until %s\n", text_of(answer, "after", pool),
            text_of(answer, "until", pool));
    json_array_foreach (changes, i, change) {
        const json_t *before = json_object_get(change, "before");
        const json_t *after = json_object_get(change, "after");

        fprintf(out, "\n%-10s  %s  %s  %s  %s\n", text_of(change, "day", pool),
                text_of(change, "jurisdiction", pool),
                text_of(change, "use_case", pool),
                idv_table_text(change, "article", pool),
                idv_table_text(change, "channel", pool));
        json_object_foreach ((json_t *)after, name, value)
            if (strncmp(name, "in_force_", 9) != 0
                && !json_equal(value, json_object_get(before, name)))
                fprintf(out, "            %s: %s, before: %s\n", name,
                        text_of(after, name, pool),
                        text_of(before, name, pool));
    }
}

/* --- the rules of a place --- */

static void put_option(const idv_call_t *call, const char *option,
                       const char *name, json_t *given)
{
    const char *value = idv_call_option(call, option);

    if (value)
        json_object_set_new(given, name, json_string(value));
}

/* The question that a call asks, and the rules that answer it. A shell has no
 * location, so the place must always be named. */
static idv_error_t *read_question(idv_call_t *call,
                                  idv_compliance_check_t *check,
                                  idv_compliance_rules_t **rules)
{
    json_t *given = idv_json_own(
        json_pack("{s:s}", "use_cases", call->arguments[0]), call->pool);
    const idv_parameters_t values = {.values = given};

    *check = (idv_compliance_check_t){.source = "explicit"};
    put_option(call, "article", "article", given);
    put_option(call, "channel", "channel", given);
    put_option(call, "as-of", "as_of", given);
    put_option(call, "jurisdiction", "jurisdiction", given);
    IDV_TRY(idv_parameters_read(&values, idv_compliance_check_parameters, check,
                                idv_compliance_check_value, call->pool));
    IDV_TRY(idv_compliance_check_article(check, call->pool));
    if (!check->as_of)
        check->day = idv_jurisdiction_date(check->jurisdiction, idv_time_now());
    return idv_call_read_rules(call, idv_call_option(call, "rules"), rules);
}

IDV_COMMAND(compliance_check)
{
    idv_compliance_check_t check;
    idv_compliance_rules_t *rules;

    IDV_TRY(read_question(call, &check, &rules));
    *answer = json_loads(idv_compliance_check_text(rules, &check, call->pool),
                         0, NULL);
    return NULL;
}

IDV_COMMAND(compliance_sources)
{
    idv_compliance_check_t check;
    idv_compliance_rules_t *rules;

    IDV_TRY(read_question(call, &check, &rules));
    *answer = json_loads(idv_compliance_sources_text(rules, &check, call->pool),
                         0, NULL);
    return NULL;
}

const idv_command_t idv_compliance_commands[] = {
    {.noun = "compliance",
     .verb = "check-data",
     .arguments = "[DIR]",
     .offline = 1,
     .run = compliance_check_data,
     .help = "check a directory of compliance rules"},
    {.noun = "compliance",
     .verb = "upcoming",
     .arguments = "[DIR]",
     .options = {"until YYYY-MM-DD"},
     .offline = 1,
     .run = compliance_upcoming,
     .print = print_upcoming,
     .help = "list the known upcoming changes of the law"},
    {.noun = "compliance",
     .verb = "check",
     .arguments = "USE_CASE,USE_CASE",
     .options = {"jurisdiction! CODE", "article ARTICLE", "channel CHANNEL",
                 "as-of YYYY-MM-DD", "rules DIR"},
     .offline = 1,
     .run = compliance_check,
     .help = "print what the law of a jurisdiction requires for these\n"
             "      products, today or on a day, and the strictest of these\n"
             "      requirements. Needs no database"},
    {.noun = "compliance",
     .verb = "sources",
     .arguments = "USE_CASE,USE_CASE",
     .options = {"jurisdiction! CODE", "article ARTICLE", "channel CHANNEL",
                 "as-of YYYY-MM-DD", "rules DIR"},
     .offline = 1,
     .run = compliance_sources,
     .help = "print the sources of that answer: statutes and others, when\n"
             "      they were consulted, and how confident the rule is. Needs no\n"
             "      database"},
    {.noun = "compliance",
     .verb = "export",
     .arguments = "[DIR]",
     .options = {"format json|csv", "as-of YYYY-MM-DD"},
     .offline = 1,
     .is_document = 1,
     .run = idv_compliance_export,
     .help = "write every rule that is valid today or on a day, with its\n"
             "      sources, for people who review them. Needs no database"},
    {.noun = "compliance",
     .verb = "diff",
     .arguments = "DIR DIR",
     .options = {"as-of YYYY-MM-DD"},
     .offline = 1,
     .is_document = 1,
     .run = idv_compliance_diff,
     .help = "compare the rules in two directories, as of today or a day:\n"
             "      every answer that differs, before and after. Needs no database"},
    {0},
};
