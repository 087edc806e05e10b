/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <apr_strings.h>

#include "domain/request/parameters.h"
#include "store/account/organization.h"
#include "store/session/trust_reuse_record.h"

/* Applications of organizations, and whether they accept verifications of other
 * organizations. */

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
    IDV_TRY(idv_application_create(
        call->db,
        &(const idv_application_draft_t){.organization_id =
                                             idv_call_option(call, "org"),
                                         .name = application.name,
                                         .now = application.created},
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

static const char *const application_columns[] = {
    "id", "name", "created", "retired_at", NULL};

const idv_command_t idv_application_commands[] = {
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
    {0},
};
