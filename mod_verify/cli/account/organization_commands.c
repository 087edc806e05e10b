/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_io.h>
#include <apr_strings.h>

#include "core/rate_window.h"
#include "domain/account/brand.h"
#include "domain/request/parameters.h"
#include "store/account/ledger.h"
#include "store/account/organization.h"
#include "store/session/trust_reuse_record.h"

/* Customers: organizations with their applications, keys and credits. */

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

/* A billing month as text, or null. New reference. */
static json_t *month_json(int month)
{
    return month ? json_sprintf("%04d-%02d", month / 100, month % 100)
                 : json_null();
}

static json_t *usage_json(int month, const idv_usage_t *usage)
{
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I}", "month", month_json(month),
        "verifications", (json_int_t)idv_usage_total(usage), "free",
        (json_int_t)usage->counts[IDV_LEDGER_FREE], "charged",
        (json_int_t)usage->counts[IDV_LEDGER_CHARGED], "sandbox",
        (json_int_t)usage->counts[IDV_LEDGER_SANDBOX]);
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
    json_object_set_new(*answer, "usage", usage_json(month, &usage));
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

static idv_error_t *read_logo(const char *path, const char **uri,
                              apr_pool_t *pool)
{
    apr_size_t length = IDV_BRAND_LOGO_MAX + 1;
    unsigned char *buffer = apr_palloc(pool, length);
    apr_file_t *file;
    apr_status_t status = apr_file_open(&file, path, APR_READ, 0, pool);

    if (status == APR_SUCCESS)
        status = apr_file_read_full(file, buffer, length, &length);
    if (status != APR_SUCCESS && !APR_STATUS_IS_EOF(status))
        return idv_error_apr(pool, status, "%s", path);
    return idv_brand_logo((idv_bytes_t){buffer, length}, uri, pool);
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

/* BRAND, changed by the options; an empty text removes a member. */
static idv_error_t *change_brand(idv_call_t *call, json_t *brand)
{
    static const char *const options[][2] = {
        {"name", "name"},   {"accent", "accent"},      {"support", "support"},
        {"theme", "theme"}, {"privacy", "privacy_url"}, {"logo", "logo"},
        {"controller", "controller"}, {"operator", "operator"}};

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

/* --- applications --- */

static json_t *application_json(const idv_call_t *call,
                                const idv_application_t *application)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:o}", "id", application->id, "object",
        "application", "organization_id", idv_call_option(call, "org"), "name",
        application->name, "created",
        (json_int_t)idv_time_seconds(application->created), "retired_at",
        idv_json_integer_or_null(idv_time_seconds(application->retired_at)));
}

IDV_COMMAND(app_create)
{
    idv_application_t application = {.name = idv_call_option(call, "name"),
                                     .created = idv_time_now()};

    IDV_TRY(idv_call_text(call, "name", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_application_create(call->db, idv_call_option(call, "org"),
                                   application.name, application.created,
                                   &application.id, call->pool));
    *answer = application_json(call, &application);
    return NULL;
}

IDV_COMMAND(app_list)
{
    apr_array_header_t *applications;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_application_list(call->db, idv_call_option(call, "org"),
                                 &applications, call->pool));
    *answer = json_array();
    for (int i = 0; i < applications->nelts; i++) {
        const idv_application_t *application =
            &APR_ARRAY_IDX(applications, i, idv_application_t);

        if (!application->retired_at || !idv_call_option(call, "live"))
            json_array_append_new(*answer, application_json(call, application));
    }
    return NULL;
}

static idv_error_t *set_retired(idv_call_t *call, int is_retired,
                                json_t **answer)
{
    const idv_scope_t scope = {idv_call_option(call, "org"),
                               call->arguments[0]};
    idv_application_t application;

    IDV_TRY(idv_application_retire(call->db, &scope, is_retired, &application,
                                   call->pool));
    *answer = application_json(call, &application);
    return NULL;
}

IDV_COMMAND(app_retire)
{
    return set_retired(call, 1, answer);
}

IDV_COMMAND(app_restore)
{
    return set_retired(call, 0, answer);
}

/* --- trust reuse --- */

/* Sets *VALUE by the option NAME, "on" or "off". Leaves it unchanged if the
 * option was not given. */
static idv_error_t *read_switch(const idv_call_t *call, const char *name,
                                int *value)
{
    static const char *const words[] = {"off", "on", NULL};

    return idv_call_choice(call, name, words, value);
}

static idv_error_t *read_methods(const idv_call_t *call,
                                 idv_method_list_t *methods)
{
    const char *option = idv_call_option(call, "methods");
    char *state, *names = apr_pstrdup(call->pool, option ? option : "");

    if (!option)
        return NULL;
    methods->count = 0;
    for (char *name = apr_strtok(names, ",", &state); name;
         name = apr_strtok(NULL, ",", &state)) {
        idv_method_t method = idv_method_parse(name);

        if (method == IDV_METHOD_NONE || methods->count == IDV_METHOD_COUNT
            || idv_method_kind(method) != IDV_METHOD_PRIMARY)
            return idv_error_param(call->pool, "methods",
                                   "Must be primary methods.");
        methods->items[methods->count++] = method;
    }
    return NULL;
}

static idv_error_t *change_reuse(const idv_call_t *call,
                                 const idv_scope_t *scope,
                                 idv_trust_reuse_settings_t *settings)
{
    const apr_int64_t bounds[2] = {1, IDV_MAX_AGE_DAYS};
    apr_int64_t days = 0;
    int before, switched_on;

    IDV_TRY(idv_trust_reuse_settings_lock(call->db, scope, settings,
                                          call->pool));
    before = settings->enabled;
    IDV_TRY(read_switch(call, "enabled", &settings->enabled));
    IDV_TRY(read_switch(call, "same-jurisdiction",
                        &settings->require_same_jurisdiction));
    IDV_TRY(idv_call_number(call, "max-age-days", bounds, &days));
    IDV_TRY(read_methods(call, &settings->accepted_methods));
    if (days)
        settings->max_age_days = (int)days;
    switched_on = settings->enabled && !before;
    if (switched_on && !idv_call_option(call, "accept-liability"))
        return idv_error_param(call->pool, "accept-liability",
                               "Required to switch reuse on.");
    settings->updated = idv_time_now();
    return idv_trust_reuse_settings_save(call->db, scope, settings, switched_on,
                                         call->pool);
}

IDV_COMMAND(app_reuse)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org"),
                               .application_id = call->arguments[0]};
    idv_organization_standing_t standing;
    idv_trust_reuse_settings_t settings;

    IDV_TRY(idv_organization_standing(call->db, &scope, &standing, call->pool));
    call->changed_nothing = apr_table_elts(call->options)->nelts == 1;
    if (call->changed_nothing)
        IDV_TRY(idv_trust_reuse_settings_find(call->db, &scope, &settings,
                                              call->pool));
    else
        IDV_TRY(change_reuse(call, &scope, &settings));
    *answer = json_loads(
        idv_trust_reuse_settings_text(&settings, scope.application_id,
                                      call->pool),
        0, NULL);
    return NULL;
}

/* --- credits --- */

IDV_COMMAND(credits_add)
{
    apr_int64_t bounds[2] = {-IDV_CREDITS_MAX, IDV_CREDITS_MAX};
    apr_int64_t amount = 0, balance = 0;

    IDV_TRY(idv_call_text(call, "note", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_call_number(call, "amount", bounds, &amount));
    if (amount == 0)
        return idv_error_param(call->pool, "amount", "Must not be 0.");
    IDV_TRY(idv_ledger_add_credits(call->db, idv_call_option(call, "org"),
                                   amount, idv_call_option(call, "note"),
                                   &balance, call->pool));
    *answer =
        json_pack("{s:s, s:I}", "organization_id", idv_call_option(call, "org"),
                  "credit_balance", (json_int_t)balance);
    return NULL;
}

static json_t *entry_json(const idv_ledger_entry_t *entry)
{
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:o, s:I, s:I, s:s, s:s?, s:I}", "id", entry->id,
        "object", "ledger_entry", "kind", entry->kind, "verifications",
        (json_int_t)entry->verifications, "month", month_json(entry->month),
        "amount", (json_int_t)entry->amount, "balance",
        (json_int_t)entry->balance, "note", entry->note, "session_id",
        entry->session_id, "created",
        (json_int_t)idv_time_seconds(entry->created));
}

IDV_COMMAND(credits)
{
    idv_cursor_t cursor = {.starting_after =
                               idv_call_option(call, "starting-after")};
    apr_array_header_t *entries;
    idv_error_t *error;
    int has_more;

    IDV_TRY(idv_call_limit(call, &cursor.limit));
    IDV_TRY(idv_call_organization(call));
    error = idv_ledger_list(call->db, idv_call_option(call, "org"), &cursor,
                            &entries, &has_more, call->pool);
    if (error && error->code == IDV_E_PARAMETER_INVALID)
        return idv_error_param(call->pool, "starting-after", "No such entry.");
    IDV_TRY(error);
    *answer = json_array();
    for (int i = 0; i < entries->nelts; i++)
        json_array_append_new(*answer, entry_json(&APR_ARRAY_IDX(
                                           entries, i, idv_ledger_entry_t)));
    return NULL;
}

IDV_COMMAND(usage)
{
    apr_array_header_t *months;
    int limit;

    IDV_TRY(idv_call_limit(call, &limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_ledger_months(call->db, idv_call_option(call, "org"), limit,
                              &months, call->pool));
    *answer = json_array();
    for (int i = 0; i < months->nelts; i++) {
        const idv_ledger_month_t *month =
            &APR_ARRAY_IDX(months, i, idv_ledger_month_t);

        json_array_append_new(*answer,
                              usage_json(month->month, &month->usage));
    }
    return NULL;
}

static const char *const usage_columns[] = {"month",   "verifications", "free",
                                            "charged", "sandbox",       NULL};
static const char *const organization_columns[] = {
    "id",      "name", "sandbox", "billing_status", "credit_balance",
    "created", NULL};

static const char *const application_columns[] = {
    "id", "name", "created", "retired_at", NULL};

static const char *const ledger_columns[] = {
    "created", "kind", "amount", "balance", "verifications", "month",
    "session_id", "note", NULL};

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
     .help = "lock out its keys, its persons and those who reuse its\n"
             "      verifications, from the next request on. Its sessions and\n"
             "      credentials are kept, whatever the retention settings say, and\n"
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
                 "operator TEXT", "result-days N"},
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
    {.noun = "app",
     .verb = "create",
     .changes = 1,
     .options = {"org! ORG", "name! NAME"},
     .run = app_create,
     .help = "create an application, which can have its own keys and\n"
             "      workflows"},
    {.noun = "app",
     .verb = "list",
     .options = {"org! ORG", "live?"},
     .run = app_list,
     .columns = application_columns,
     .help = "list the applications of an organization; --live omits retired\n"
             "      ones"},
    {.noun = "app",
     .verb = "retire",
     .changes = 1,
     .arguments = "APP",
     .options = {"org! ORG"},
     .run = app_retire,
     .help = "stop the keys of an application from creating sessions"},
    {.noun = "app",
     .verb = "restore",
     .changes = 1,
     .arguments = "APP",
     .options = {"org! ORG"},
     .run = app_restore,
     .help = "let the keys of a retired application create sessions again"},
    {.noun = "app",
     .verb = "reuse",
     .changes = 1,
     .arguments = "APP",
     .options = {"org! ORG", "enabled on|off", "accept-liability?",
                 "max-age-days N", "same-jurisdiction on|off",
                 "methods METHOD,METHOD"},
     .run = app_reuse,
     .help = "print or change whether an application accepts verifications\n"
             "      of other organizations. Without --methods, those of the\n"
             "      workflow apply"},
    {.noun = "credits",
     .verb = "add",
     .changes = 1,
     .options = {"org! ORG", "amount! N", "note! TEXT"},
     .run = credits_add,
     .help = "add prepaid credits; a negative amount removes credits"},
    {.noun = "credits",
     .options = {"org! ORG", "limit N", "starting-after ENTRY_ID"},
     .run = credits,
     .columns = ledger_columns,
     .help = "print the ledger of credits and verifications, newest first"},
    {.noun = "usage",
     .options = {"org! ORG", "limit N"},
     .run = usage,
     .columns = usage_columns,
     .help = "print the number of verifications per month, newest first"},
    {0},
};
