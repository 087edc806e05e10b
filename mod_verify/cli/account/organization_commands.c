/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "cli/account/billing_commands.h"
#include "cli/command/file_input.h"
#include "core/rate_window.h"
#include "domain/account/brand.h"
#include "store/account/organization.h"

/* Organizations: their settings, limits and brand. */

/* An organization's own limits; null where the server's apply. New
 * reference. */
static json_t *rate_limits_json(const idv_rate_limits_t *limits)
{
    return json_pack("{s:o, s:o}", "secret",
                     idv_json_integer_or_null(limits->secret), "publishable",
                     idv_json_integer_or_null(limits->publishable));
}

static json_t *organization_json(const idv_organization_t *organization)
{
    return json_pack(
        "{s:s, s:s, s:s, s:b, s:s, s:I, s:I, s:s, s:{s:b, s:b, s:b}, s:o, s:o,"
        " s:I, s:I}",
        "id", organization->id, "object", "organization", "name", organization->name,
        "sandbox", organization->sandbox, "billing_status",
        organization->billing_status, "free_allotment",
        (json_int_t)organization->free_allotment, "credit_balance",
        (json_int_t)organization->credit_balance, "publishable_session_create",
        organization->publishable_session_create, "four_eyes", "publish",
        organization->four_eyes.publish, "reject",
        organization->four_eyes.reject, "erase",
        organization->four_eyes.erase, "rate_limit",
        rate_limits_json(&organization->rate_limits), "disabled_at",
        organization->disabled_at
            ? json_integer(
                (json_int_t)idv_time_seconds(organization->disabled_at))
            : json_null(),
        "created",
        (json_int_t)idv_time_seconds(organization->created), "updated",
        (json_int_t)idv_time_seconds(organization->updated));
}

IDV_COMMAND(org_create)
{
    idv_organization_t *organization;

    IDV_TRY(idv_call_text(call, "name", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_organization_create(call->db, idv_call_option(call, "name"),
                                    idv_call_option(call, "sandbox") != NULL,
                                    &organization, call->pool));
    *answer = organization_json(organization);
    return NULL;
}

IDV_COMMAND(org_list)
{
    idv_organization_filter_t filter = {
        .search = idv_call_option(call, "search"),
        .cursor.starting_after = idv_call_option(call, "starting-after")};
    apr_array_header_t *organizations;
    int limit, has_more;

    IDV_TRY(idv_call_limit(call, &limit));
    IDV_TRY(idv_call_text(call, "search", IDV_CALL_TEXT_MAX));
    if (filter.search) {
        filter.cursor.limit = limit;
        IDV_TRY(idv_organization_page(call->db, &filter, &organizations,
                                      &has_more, call->pool));
    } else
        IDV_TRY(idv_organization_list(call->db, filter.cursor.starting_after,
                                      limit, &organizations, call->pool));
    *answer = json_array();
    for (int i = 0; i < organizations->nelts; i++)
        json_array_append_new(
            *answer, organization_json(APR_ARRAY_IDX(organizations, i,
                                                     idv_organization_t *)));
    return NULL;
}

IDV_COMMAND(org_show)
{
    idv_organization_t *organization;
    int month = idv_billing_month(idv_time_now());
    idv_usage_t usage;

    IDV_TRY(idv_organization_find(call->db, call->arguments[0], &organization,
                                  call->pool));
    IDV_TRY(idv_ledger_usage(call->db, organization->id, month, &usage,
                             call->pool));
    *answer = organization_json(organization);
    json_object_set_new(*answer, "usage", idv_call_usage_json(month, &usage));
    return NULL;
}

IDV_COMMAND(org_update)
{
    static const char *const billing[] = {"active", "suspended", NULL};
    static const char *const creation[] = {"allowed", "blocked", NULL};
    idv_organization_update_t update = {
        .name = idv_call_option(call, "name"),
        .billing_status = idv_call_option(call, "billing-status"),
        .free_allotment = -1,
        .publishable_session_create =
            idv_call_option(call, "publishable-session-create"),
    };
    const apr_int64_t bounds[2] = {0, IDV_FREE_ALLOTMENT_MAX};
    idv_organization_t *organization;
    int unused;

    if (apr_table_elts(call->options)->nelts == 0)
        return idv_error_param(call->pool, NULL, "Nothing to change. `verifyctl "
                                                 "org update --help` lists the "
                                                 "options.");
    IDV_TRY(idv_call_text(call, "name", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_call_choice(call, "billing-status", billing, &unused));
    IDV_TRY(
        idv_call_choice(call, "publishable-session-create", creation, &unused));
    IDV_TRY(idv_call_number(call, "free-allotment", bounds,
                            &update.free_allotment));
    IDV_TRY(idv_organization_update(call->db, call->arguments[0], &update,
                                    &organization, call->pool));
    *answer = organization_json(organization);
    return NULL;
}

static idv_error_t *set_disabled(idv_call_t *call, int is_disabled,
                                 json_t **answer)
{
    idv_organization_t *organization;

    IDV_TRY(idv_organization_disable(call->db, call->arguments[0], is_disabled,
                                     &organization, call->pool));
    *answer = organization_json(organization);
    return NULL;
}

IDV_COMMAND(org_disable)
{
    return set_disabled(call, 1, answer);
}

IDV_COMMAND(org_enable)
{
    return set_disabled(call, 0, answer);
}

IDV_COMMAND(org_four_eyes)
{
    static const char *const states[] = {"off", "on", NULL};
    idv_four_eyes_t switches = {.publish = -1, .reject = -1, .erase = -1};

    IDV_TRY(idv_call_choice(call, "publish", states, &switches.publish));
    IDV_TRY(idv_call_choice(call, "reject", states, &switches.reject));
    IDV_TRY(idv_call_choice(call, "erase", states, &switches.erase));
    call->changed_nothing =
        switches.publish < 0 && switches.reject < 0 && switches.erase < 0;
    if (call->changed_nothing)
        IDV_TRY(idv_organization_four_eyes(call->db, call->arguments[0],
                                           &switches, call->pool));
    else
        IDV_TRY(idv_organization_set_four_eyes(call->db, call->arguments[0],
                                               &switches, call->pool));
    *answer = json_pack("{s:s, s:s, s:b, s:b, s:b}", "object", "four_eyes",
                        "organization_id", call->arguments[0], "publish",
                        switches.publish, "reject", switches.reject, "erase",
                        switches.erase);
    return NULL;
}

/* Sets *LIMIT to the number in the option NAME, or to 0 for the word `server`.
 * Leaves it unchanged if the option was not given. */
static idv_error_t *read_rate_limit(const idv_call_t *call, const char *name,
                                    apr_int64_t *limit)
{
    const apr_int64_t bounds[2] = {1, IDV_RATE_LIMIT_MAX};
    const char *text = idv_call_option(call, name);
    apr_int64_t given = *limit;
    idv_error_t *error;

    if (text && strcmp(text, "server") == 0) {
        *limit = 0;
        return NULL;
    }
    error = idv_call_number(call, name, bounds, &given);
    if (error)
        return idv_error_param(call->pool, name,
                               "Expected requests a minute, a whole number from "
                               "1 to %d, or the word server.",
                               IDV_RATE_LIMIT_MAX);
    *limit = given;
    return NULL;
}

IDV_COMMAND(org_limits)
{
    idv_rate_limits_t limits = {.secret = -1, .publishable = -1};
    idv_organization_t *organization;

    IDV_TRY(read_rate_limit(call, "secret", &limits.secret));
    IDV_TRY(read_rate_limit(call, "publishable", &limits.publishable));
    call->changed_nothing = limits.secret < 0 && limits.publishable < 0;
    if (call->changed_nothing)
        IDV_TRY(idv_organization_find(call->db, call->arguments[0],
                                      &organization, call->pool));
    else
        IDV_TRY(idv_organization_set_rate_limits(call->db, call->arguments[0],
                                                 &limits, &organization,
                                                 call->pool));
    *answer = json_pack("{s:s, s:s, s:o}", "object", "limits",
                        "organization_id", organization->id, "rate_limit",
                        rate_limits_json(&organization->rate_limits));
    return NULL;
}

/* --- brand --- */

#define WORDING_FILE_MAX 65536

static idv_error_t *read_logo(const char *path, const char **uri,
                              apr_pool_t *pool)
{
    idv_bytes_t picture;

    IDV_TRY(idv_file_input_read("logo", path, IDV_BRAND_LOGO_MAX, &picture,
                                pool));
    return idv_brand_logo(picture, uri, pool);
}

static idv_error_t *change_result_days(idv_call_t *call, json_t *brand)
{
    const apr_int64_t bounds[2] = {1, IDV_BRAND_RESULT_DAYS_MAX};
    const char *text = idv_call_option(call, "result-days");
    apr_int64_t days;

    if (!text)
        return NULL;
    if (!*text) {
        json_object_del(brand, "result_days");
        return NULL;
    }
    IDV_TRY(idv_call_number(call, "result-days", bounds, &days));
    json_object_set_new(brand, "result_days", json_integer(days));
    return NULL;
}

static idv_error_t *change_wording(idv_call_t *call, json_t *brand)
{
    const char *path = idv_call_option(call, "wording");
    json_t *wording;

    if (!path)
        return NULL;
    if (!*path) {
        json_object_del(brand, "wording");
        return NULL;
    }
    IDV_TRY(idv_json_file_read(path, WORDING_FILE_MAX, &wording, call->pool));
    json_object_set(brand, "wording", wording);
    return NULL;
}

/* BRAND, changed by the options; an empty text removes a member. */
static idv_error_t *change_brand(idv_call_t *call, json_t *brand)
{
    static const char *const options[][2] = {
        {"name", "name"},   {"accent", "accent"},      {"support", "support"},
        {"theme", "theme"}, {"privacy", "privacy_url"}, {"logo", "logo"},
        {"controller", "controller"}, {"operator", "operator"},
        {"background", "background"}, {"font", "font"}, {"radius", "radius"},
        {"density", "density"}};

    for (apr_size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
        const char *text = idv_call_option(call, options[i][0]);

        if (!text)
            continue;
        if (*text && strcmp(options[i][0], "logo") == 0)
            IDV_TRY(read_logo(text, &text, call->pool));
        if (*text)
            json_object_set_new(brand, options[i][1], json_string(text));
        else
            json_object_del(brand, options[i][1]);
    }
    IDV_TRY(change_result_days(call, brand));
    IDV_TRY(change_wording(call, brand));
    return idv_brand_check(brand, call->pool);
}

static const char *text_of(const json_t *value, apr_pool_t *pool)
{
    char *text = json_dumps(value, JSON_COMPACT);
    const char *copy = apr_pstrdup(pool, text);

    free(text);
    return copy;
}

IDV_COMMAND(org_brand)
{
    idv_organization_brand_t shown;
    json_t *brand = NULL;

    IDV_TRY(idv_organization_brand(call->db, call->arguments[0], &shown,
                                   call->pool));
    if (shown.brand)
        brand = idv_json_load(shown.brand, call->pool);
    if (!brand)
        brand = idv_json_own(json_object(), call->pool);
    IDV_TRY(change_brand(call, brand));
    call->changed_nothing = apr_table_elts(call->options)->nelts == 0;
    if (!call->changed_nothing)
        IDV_TRY(idv_organization_set_brand(
            call->db, call->arguments[0],
            json_object_size(brand) ? text_of(brand, call->pool) : NULL,
            &shown, call->pool));
    *answer = json_pack("{s:s, s:s, s:s, s:O}", "object", "brand",
                        "organization_id", call->arguments[0],
                        "organization_name", shown.name, "brand", brand);
    return NULL;
}

static const char *const organization_columns[] = {
    "id",      "name", "sandbox", "billing_status", "credit_balance",
    "created", NULL};

const idv_command_t idv_organization_commands[] = {
    {.noun = "org",
     .verb = "create",
     .changes = 1,
     .options = {"name! NAME", "sandbox?"},
     .run = org_create,
     .help = "create an organization; a sandbox is never billed"},
    {.noun = "org",
     .verb = "list",
     .options = {"search TEXT", "limit N", "starting-after ORG"},
     .run = org_list,
     .columns = organization_columns,
     .help = "list organizations, oldest first; with --search those with\n"
             "      this ID or whose name begins with TEXT, newest first"},
    {.noun = "org",
     .verb = "show",
     .arguments = "ORG",
     .run = org_show,
     .help = "print an organization and its usage of this month"},
    {.noun = "org",
     .verb = "update",
     .changes = 1,
     .arguments = "ORG",
     .options = {"name NAME", "billing-status active|suspended",
                 "free-allotment N",
                 "publishable-session-create allowed|blocked"},
     .run = org_update,
     .help = "change an organization's settings"},
    {.noun = "org",
     .verb = "disable",
     .changes = 1,
     .arguments = "ORG",
     .run = org_disable,
     .help = "refuse the organization's keys and persons, and reuse of its\n"
             "      verifications, from the next request on. Its sessions and\n"
             "      credentials are kept, regardless of the retention settings, and\n"
             "      webhooks of earlier events are still sent"},
    {.noun = "org",
     .verb = "enable",
     .changes = 1,
     .arguments = "ORG",
     .run = org_enable,
     .help = "undo org disable"},
    {.noun = "org",
     .verb = "brand",
     .changes = 1,
     .arguments = "ORG",
     .options = {"name NAME", "logo FILE", "accent #RRGGBB", "support ADDRESS",
                 "privacy URL", "theme light|dark|auto", "controller TEXT",
                 "operator TEXT", "result-days N", "background #RRGGBB",
                 "font system|serif|rounded", "radius none|small|large",
                 "density comfortable|compact", "wording FILE"},
     .run = org_brand,
     .help = "print or change how the widget's page presents the\n"
             "      organization; an empty value removes a setting"},
    {.noun = "org",
     .verb = "four-eyes",
     .changes = 1,
     .arguments = "ORG",
     .options = {"publish on|off", "reject on|off", "erase on|off"},
     .run = org_four_eyes,
     .help = "print or change which actions need two people. With --publish\n"
             "      on, nobody publishes a workflow that they changed themselves.\n"
             "      With --reject on, nobody rejects a verified session unless\n"
             "      somebody else flagged or escalated it. With --erase on, nobody\n"
             "      erases a person unless somebody else has requested it"},
    {.noun = "org",
     .verb = "limits",
     .changes = 1,
     .arguments = "ORG",
     .options = {"secret N|server", "publishable N|server"},
     .run = org_limits,
     .help = "print or change how many requests per minute each of its\n"
             "      secret and publishable keys may make, from the next request\n"
             "      on. server: the limit of VerifyRateLimit"},
    {0},
};
