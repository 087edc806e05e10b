/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <apr_strings.h>

#include "cli/account/report_html.h"
#include "domain/trust/expiry.h"
#include "domain/value/civil_date.h"
#include "domain/value/proportion.h"
#include "store/account/api_key.h"
#include "store/account/operator_action.h"
#include "store/account/organization.h"
#include "store/oidc/signing_key.h"
#include "store/transaction/assurance_figures.h"
#include "store/trust/trust_list.h"

/* Figures for auditors. They are what the service has counted, each with its
 * denominator; what follows from them is for the auditor to say. */

static const char statement[] =
    "These are figures of one installation, counted when this report was made. "
    "They state no conformity with any standard or law. The service does not "
    "know who was genuine: how often a method passed is not its rate of "
    "errors. Shares have an interval with a confidence of 95 % (Wilson), and "
    "are left out where there are fewer than 30 cases.";

static const struct {
    const char *name, *title, *note;
} sections[] = {
    {"sessions", "Sessions",
     "Sessions created in the period, and their status now."},
    {"assurance", "Assurance of verified sessions",
     "What the evidence of verified sessions of the period is worth."},
    {"methods", "Decisions of methods",
     "Decisions in the sessions of the period, by method and verdict."},
    {"basis", "Basis of decisions",
     "The versions of program, workflow, law, lists and models on which these "
     "decisions rest."},
    {"reviews", "Reviews",
     "How reviews of the sessions of the period ended."},
    {"second_reviews", "Second, blind reviews",
     "Whether a second reviewer, who did not know the first decision, decided "
     "likewise."},
    {"kept", "Data kept",
     "What is stored now, and how old the oldest of it is. How long it may be "
     "kept is set in the configuration of the server (VerifySessionRetention "
     "and others), which this report does not read."},
    {"events", "Failures and withdrawals",
     "In the period. Incidents that were handled elsewhere are not known "
     "here."},
    {"keys", "Keys",
     "API keys that are in force now, and the server's keys for ID tokens."},
    {"trust_lists", "Trusted issuers",
     "The lists in use now, with their versions."},
    {"record", "Record of operators' actions",
     "The chain of the audit trail, verified when this report was made."},
};

/* Clause numbers are left to the auditor. */
static const struct {
    const char *source, *asks_for, *sections;
} clauses[] = {
    {"ISO/IEC 27566-1", "functional characteristics of the methods",
     "methods assurance basis"},
    {"ISO/IEC 27566-1", "performance characteristics", "methods second_reviews"},
    {"ISO/IEC 27566-1", "privacy characteristics", "kept events"},
    {"ISO/IEC 27566-1", "security characteristics", "keys trust_lists record"},
    {"ISO/IEC 27566-1", "acceptability characteristics", "sessions reviews"},
    {"IEEE 2089.1", "confidence in the age", "assurance methods"},
    {"IEEE 2089.1", "records of operation", "record basis events"},
    {"GDPR, Article 5(1)(c) and (e)", "minimization and storage limitation",
     "kept"},
    {"GDPR, Article 17", "erasure", "events"},
    {"GDPR, Article 22", "decisions that a person can review",
     "reviews second_reviews"},
    {"GDPR, Article 32", "security of processing", "keys record"},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* --- parameters --- */

static idv_error_t *read_date(const idv_call_t *call, const char *name,
                              idv_time_t *time)
{
    idv_date_t date;
    idv_error_t *error =
        idv_date_parse(idv_call_option(call, name), &date, call->pool);

    if (error || !idv_date_is_complete(date))
        return idv_error_param(call->pool, name, "Expected YYYY-MM-DD.");
    *time = idv_date_days(date) * IDV_DAY;
    return NULL;
}

/* The days from --from to --to, both included, in UTC. */
static idv_error_t *read_period(const idv_call_t *call,
                                idv_assurance_query_t *query)
{
    query->organization_id = idv_call_option(call, "org");
    query->now = idv_time_now();
    IDV_TRY(read_date(call, "from", &query->from));
    IDV_TRY(read_date(call, "to", &query->before));
    query->before += IDV_DAY;
    if (query->from < IDV_DAY)
        return idv_error_param(call->pool, "from", "Is too early.");
    return query->from < query->before
             ? NULL
             : idv_error_param(call->pool, "to", "Is before the first day.");
}

/* --- figures --- */

static double rounded(double share)
{
    return floor(share * 10000 + 0.5) / 10000;
}

static json_t *count_json(const char *name, apr_int64_t count,
                          apr_int64_t total)
{
    json_t *row = json_pack("{s:s, s:I, s:o}", "figure", name, "value",
                            (json_int_t)count, "of",
                            total < 0 ? json_null()
                                      : json_integer((json_int_t)total));
    idv_proportion_t share;

    if (total < 0)
        return row;
    share = idv_proportion(count, total);
    json_object_set_new(row, "share",
                        share.is_few ? json_null()
                                     : json_real(rounded(share.share)));
    json_object_set_new(row, "low", json_real(rounded(share.low)));
    json_object_set_new(row, "high", json_real(rounded(share.high)));
    json_object_set_new(row, "too_few_cases", json_boolean(share.is_few));
    return row;
}

static json_t *state_json(const char *name, const char *state)
{
    return json_pack("{s:s, s:s, s:n}", "figure", name, "value", state, "of");
}

/* The keys that sign ID tokens, of the whole server. */
static idv_error_t *add_signing_keys(const idv_call_t *call, idv_time_t now,
                                     json_t *figures)
{
    apr_array_header_t *keys;

    IDV_TRY(idv_oidc_key_list(call->db, now, &keys, call->pool));
    for (int i = 0; i < keys->nelts; i++) {
        const idv_oidc_key_t *key = &APR_ARRAY_IDX(keys, i, idv_oidc_key_t);
        char created[IDV_DATE_TEXT_SIZE];

        idv_date_format(idv_date_at(key->created, 0), created);
        json_array_append_new(
            figures,
            state_json(apr_pstrcat(call->pool, "id_token ", key->id, NULL),
                       apr_psprintf(call->pool, "%s, created on %s",
                                    idv_web_algorithm_value(key->algorithm),
                                    created)));
    }
    return NULL;
}

static idv_error_t *add_keys(const idv_call_t *call, idv_time_t now,
                             json_t *figures)
{
    apr_array_header_t *keys;
    apr_int64_t used = 0, all = 0, restricted = 0, secret = 0;

    IDV_TRY(idv_api_key_list(call->db, idv_call_option(call, "org"), &keys,
                             call->pool));
    for (int i = 0; i < keys->nelts; i++) {
        const idv_api_key_t *key = APR_ARRAY_IDX(keys, i, idv_api_key_t *);

        if (key->revoked || (key->expires && key->expires <= now))
            continue;
        all++;
        used += key->last_used != 0;
        secret += key->type == IDV_KEY_SECRET;
        restricted += key->type == IDV_KEY_SECRET
                   && key->scopes != IDV_KEY_SCOPES_ALL;
    }
    json_array_append_new(figures, count_json("used", used, all));
    json_array_append_new(
        figures, count_json("restricted_secret_keys", restricted, secret));
    return add_signing_keys(call, now, figures);
}

static idv_error_t *add_trust_lists(const idv_call_t *call, idv_time_t now,
                                    json_t *figures)
{
    apr_array_header_t *records;

    IDV_TRY(idv_trust_list_current(call->db, idv_call_option(call, "org"),
                                   &records, call->pool));
    for (int i = 0; i < records->nelts; i++) {
        const idv_trust_record_t *record =
            &APR_ARRAY_IDX(records, i, idv_trust_record_t);
        const idv_trust_version_t *version = &record->version;

        json_array_append_new(
            figures,
            state_json(idv_trust_source(version, call->pool),
                       apr_psprintf(call->pool, "%s, %d certificates",
                                    idv_expiry_state_value(idv_expiry_of_list(
                                        version->issued, version->next_update,
                                        now)),
                                    record->certificate_count)));
    }
    return NULL;
}

static idv_error_t *add_record(const idv_call_t *call, json_t *figures)
{
    apr_array_header_t *chains;

    IDV_TRY(idv_operator_action_verify(
        call->db, idv_call_option(call, "org"),
        &(const idv_operator_entry_visitor_t){0}, &chains, call->pool));
    for (int i = 0; i < chains->nelts; i++) {
        const idv_operator_chain_t *chain =
            &APR_ARRAY_IDX(chains, i, idv_operator_chain_t);

        json_array_append_new(figures,
                              count_json("entries", chain->entries, -1));
        json_array_append_new(
            figures, state_json("chain", chain->fault ? chain->fault : "valid"));
        json_array_append_new(figures, state_json("head", chain->head));
    }
    return NULL;
}

/* The counts of the section NAME. */
static void add_counts(const apr_array_header_t *counted, const char *name,
                       json_t *figures)
{
    for (int i = 0; i < counted->nelts; i++) {
        const idv_assurance_figure_t *figure =
            &APR_ARRAY_IDX(counted, i, idv_assurance_figure_t);

        if (strcmp(figure->section, name) == 0)
            json_array_append_new(figures,
                                  count_json(figure->figure, figure->count,
                                             figure->total));
    }
}

static idv_error_t *add_sections(const idv_call_t *call,
                                 const idv_assurance_query_t *query,
                                 json_t *list)
{
    apr_array_header_t *counted;

    IDV_TRY(idv_assurance_figures(call->db, query, &counted, call->pool));
    for (size_t i = 0; i < COUNT(sections); i++) {
        json_t *figures = json_array();

        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:o}", "section", sections[i].name,
                            "title", sections[i].title, "note",
                            sections[i].note, "figures", figures));
        add_counts(counted, sections[i].name, figures);
        if (strcmp(sections[i].name, "keys") == 0)
            IDV_TRY(add_keys(call, query->now, figures));
        else if (strcmp(sections[i].name, "trust_lists") == 0)
            IDV_TRY(add_trust_lists(call, query->now, figures));
        else if (strcmp(sections[i].name, "record") == 0)
            IDV_TRY(add_record(call, figures));
    }
    return NULL;
}

static json_t *clauses_json(apr_pool_t *pool)
{
    json_t *list = json_array();

    for (size_t i = 0; i < COUNT(clauses); i++) {
        json_t *names = json_array();
        char *state, *copy = apr_pstrdup(pool, clauses[i].sections);

        for (char *name = apr_strtok(copy, " ", &state); name;
             name = apr_strtok(NULL, " ", &state))
            json_array_append_new(names, json_string(name));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o}", "source", clauses[i].source,
                            "asks_for", clauses[i].asks_for, "sections",
                            names));
    }
    return list;
}

IDV_COMMAND(report_assurance)
{
    idv_organization_t *organization;
    idv_assurance_query_t query;
    char today[IDV_DATE_TEXT_SIZE];
    json_t *report, *list = idv_json_own(json_array(), call->pool);

    IDV_TRY(read_period(call, &query));
    IDV_TRY(idv_organization_find(call->db, query.organization_id,
                                  &organization, call->pool));
    IDV_TRY(add_sections(call, &query, list));
    idv_date_format(idv_date_at(query.now, 0), today);
    report = json_pack(
        "{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:s, s:s, s:O, s:o}", "object",
        "assurance_report", "organization_id", organization->id,
        "organization_name", organization->name, "sandbox",
        organization->sandbox, "from", idv_call_option(call, "from"), "to",
        idv_call_option(call, "to"), "made_on", today, "version",
        VERIFY_VERSION, "statement", statement, "sections", list, "clauses",
        clauses_json(call->pool));
    if (idv_call_option(call, "html")) {
        fputs(idv_report_html(idv_json_own(report, call->pool), call->pool),
              stdout);
        return NULL;
    }
    *answer = report;
    return NULL;
}

const idv_command_t idv_report_commands[] = {
    {.noun = "report",
     .verb = "assurance",
     .options = {"org! ORG", "from! YYYY-MM-DD", "to! YYYY-MM-DD", "html?"},
     .run = report_assurance,
     .is_document = 1,
     .help = "print what auditors and data protection officers ask for, from\n"
             "      live figures: methods and how often they passed with\n"
             "      intervals, reviews and their agreement, data kept, keys,\n"
             "      trust lists, versions of rules, failures. JSON, or a page\n"
             "      with --html. It states no conformity"},
    {0},
};
