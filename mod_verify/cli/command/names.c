/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/names.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "store/account/organization.h"
#include "store/session/second_review.h"
#include "store/session/session_lookup.h"
#include "store/webhook/event.h"
#include "store/webhook/webhook_endpoint.h"
#include "store/workflow/workflow.h"

#define FORM_MAX 32 /* bytes of a value's name in the help */

/* --- existing objects --- */

/* Each finds the object ID, within the organization of CALL if it has one;
 * `resource_missing` if there is none. */
typedef idv_error_t *find_t(const idv_call_t *call, const char *id);

static idv_error_t *find_organization(const idv_call_t *call, const char *id)
{
    idv_organization_t *organization;

    return idv_organization_find(call->db, id, &organization, call->pool);
}

/* `*` is the server, which always exists. */
static idv_error_t *find_organization_or_server(const idv_call_t *call,
                                                const char *id)
{
    return strcmp(id, "*") == 0 ? NULL : find_organization(call, id);
}

static idv_error_t *find_application(const idv_call_t *call, const char *id)
{
    apr_array_header_t *list;

    IDV_TRY(idv_application_list(call->db, idv_call_option(call, "org"), &list,
                                 call->pool));
    for (int i = 0; i < list->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(list, i, idv_application_t).id, id) == 0)
            return NULL;
    return idv_error_new(IDV_E_RESOURCE_MISSING, call->pool);
}

static idv_error_t *find_workflow(const idv_call_t *call, const char *id)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    json_t *workflow;

    return idv_workflow_find(call->db, &scope, id, &workflow, call->pool);
}

static idv_error_t *find_endpoint(const idv_call_t *call, const char *id)
{
    idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_webhook_endpoint_t *endpoint;

    if (!scope.organization_id)
        IDV_TRY(idv_webhook_endpoint_find_organization(
            call->db, id, &scope.organization_id, call->pool));
    return idv_webhook_endpoint_find(call->db, &scope, id, &endpoint,
                                     call->pool);
}

static idv_error_t *find_session(const idv_call_t *call, const char *id)
{
    idv_session_record_t *record;

    return idv_session_find_any(call->db, id, &record, call->pool);
}

static idv_error_t *find_event(const idv_call_t *call, const char *id)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    const char *event;

    return idv_event_find(call->db, &scope, id, &event, call->pool);
}

#define ANY_TYPE (-1)

/* The names of ids in the tables of commands, with the type of id and the
 * function that looks it up if the command does not. */
static const struct name_t {
    const char *form, *what;
    int type; /* an idv_id_type_t */
    find_t *find;
    const char *param; /* its name in the API and in errors; NULL: none */
} names[] = {
    {"ORG", "organization", IDV_ID_ORGANIZATION, find_organization, NULL},
    {"ORG|*", "organization", IDV_ID_ORGANIZATION, find_organization_or_server,
     NULL},
    {"APP", "application", IDV_ID_APPLICATION, find_application,
     "application_id"},
    {"WF_ID", "workflow", IDV_ID_WORKFLOW, find_workflow, "workflow_id"},
    {"WE_ID", "webhook endpoint", IDV_ID_WEBHOOK_ENDPOINT, find_endpoint, NULL},
    {"SESSION_ID", "session", IDV_ID_SESSION, find_session, NULL},
    {"KEY_ID", "key", IDV_ID_API_KEY, NULL, NULL},
    {"CLIENT_ID", "login client", IDV_ID_OIDC_CLIENT, NULL, NULL},
    {"PASSKEY_ID", "passkey", ANY_TYPE, NULL, NULL},
    {"WFD_ID", "draft", IDV_ID_WORKFLOW_DRAFT, NULL, NULL},
    {"DRAFT_ID", "draft", IDV_ID_WORKFLOW_DRAFT, NULL, NULL},
    {"WFV_ID", "version", IDV_ID_WORKFLOW_VERSION, NULL, NULL},
    {"VERSION_ID", "version", IDV_ID_WORKFLOW_VERSION, NULL, NULL},
    {"SCENARIO_ID", "scenario", IDV_ID_WORKFLOW_SCENARIO, NULL, NULL},
    {"SIM_ID", "simulation", IDV_ID_WORKFLOW_REPLAY, NULL, NULL},
    {"LIST_ID", "trust list", IDV_ID_TRUST_LIST, NULL, NULL},
    {"EVENT_ID", "event", IDV_ID_EVENT, find_event, NULL},
    {"DELIVERY_ID", "delivery", IDV_ID_WEBHOOK_DELIVERY, NULL, NULL},
    {"RECOVERY_ID", "recovery", IDV_ID_WEBHOOK_RECOVERY, NULL, NULL},
    {"RSK_ID", "assessment", IDV_ID_RISK_ASSESSMENT, NULL, NULL},
    {"OPA_ID", "recorded action", IDV_ID_OPERATOR_ACTION, NULL, NULL},
    {"SRV_ID", "second review", IDV_ID_SECOND_REVIEW, NULL, NULL},
    {"PERSON_ID", "person", IDV_ID_VERIFIED_PERSON, NULL, NULL},
    {"CREDENTIAL_ID", "credential", IDV_ID_CREDENTIAL, NULL, NULL},
    {"TOKEN_ID", "token", ANY_TYPE, NULL, NULL},
    {"TRG_ID", "trust reuse grant", IDV_ID_TRUST_REUSE_GRANT, NULL, NULL},
    {"RLE_ID", "entry", IDV_ID_RISK_LIST_ENTRY, NULL, NULL},
    {"RLC_ID", "change", IDV_ID_RISK_LIST_CHANGE, NULL, NULL},
    {"ENTRY_ID", "entry", ANY_TYPE, NULL, NULL},
    {"ID", "object", ANY_TYPE, NULL, NULL},
};

static const struct name_t *name_of(const char *form)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i].form, form) == 0)
            return &names[i];
    return NULL;
}

/* --- ids in a call --- */

/* An id in the call. */
typedef struct {
    const struct name_t *name;
    const char *id;
    const char *option; /* NULL: an argument */
} given_t;

/* Reads OPTION of a command's table from CALL; zero if it was not given or does
 * not take an id. */
static int read_option(const idv_call_t *call, const char *option,
                       given_t *given)
{
    const char *form = strchr(option, ' ');

    given->name = form ? name_of(form + 1) : NULL;
    given->option = apr_pstrmemdup(call->pool, option, strcspn(option, "!? "));
    given->id = idv_call_option(call, given->option);
    return given->name && given->id;
}

/* Likewise for the argument INDEX. FORM is the rest of a command's arguments,
 * beginning with this one. */
static int read_argument(const idv_call_t *call, int index, const char *form,
                         given_t *given)
{
    char bare[FORM_MAX];

    form += *form == '[';
    apr_cpystrn(bare, form, sizeof(bare));
    bare[strcspn(bare, " ]")] = '\0';
    *given = (given_t){.name = name_of(bare), .id = call->arguments[index]};
    return given->name && given->id;
}

/* All ids in the call, an array of given_t. */
static apr_array_header_t *given_in(const idv_call_t *call)
{
    const idv_command_t *command = call->command;
    apr_array_header_t *list = apr_array_make(call->pool, 4, sizeof(given_t));
    const char *form = command->arguments;
    given_t given;

    for (int i = 0; form && *form && i < IDV_COMMAND_MAX_ARGUMENTS; i++) {
        if (read_argument(call, i, form, &given))
            APR_ARRAY_PUSH(list, given_t) = given;
        form = strchr(form, ' ');
        form += form != NULL;
    }
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++)
        if (read_option(call, command->options[i], &given))
            APR_ARRAY_PUSH(list, given_t) = given;
    return list;
}

/* --- checks --- */

static int is_cursor(const given_t *given)
{
    return given->option
        && (strcmp(given->option, "starting-after") == 0
            || strcmp(given->option, "after") == 0);
}

static int is_organization(const given_t *given)
{
    return given->name->type == IDV_ID_ORGANIZATION;
}

static const char *about(const given_t *given, apr_pool_t *pool)
{
    return given->option
             ? apr_psprintf(pool, "--%s %s", given->option, given->id)
             : given->id;
}

/* Second reviews of earlier versions have the id of the first decision's
 * entry. */
static int is_of_type(const given_t *given)
{
    int type = given->name->type;

    return type == ANY_TYPE || idv_id_is((idv_id_type_t)type, given->id)
        || (type == IDV_ID_SECOND_REVIEW && idv_second_review_is_id(given->id));
}

static idv_error_t *check_cursor(const given_t *given, apr_pool_t *pool)
{
    return is_of_type(given)
             ? NULL
             : idv_error_param(pool, about(given, pool), "Not the id of a%s %s.",
                               strchr("aeiou", *given->name->what) ? "n" : "",
                               given->name->what);
}

static int is_missing(const idv_error_t *error)
{
    return error
        && (error->code == IDV_E_RESOURCE_MISSING
            || error->code == IDV_E_SESSION_NOT_FOUND);
}

static idv_error_t *look_for(const idv_call_t *call, const given_t *given)
{
    idv_error_t *error = given->name->find(call, given->id);

    return is_missing(error)
             ? idv_error_param(call->pool, about(given, call->pool),
                               "No such %s.", given->name->what)
             : error;
}

idv_error_t *idv_call_check_names(const idv_call_t *call)
{
    const apr_array_header_t *list = given_in(call);

    for (int i = 0; i < list->nelts; i++) {
        const given_t *given = &APR_ARRAY_IDX(list, i, given_t);

        if (is_cursor(given))
            IDV_TRY(check_cursor(given, call->pool));
        else if (is_organization(given) && !call->command->any_organization)
            IDV_TRY(look_for(call, given));
    }
    return NULL;
}

idv_error_t *idv_call_check_empty(const idv_call_t *call)
{
    const apr_array_header_t *list = given_in(call);

    for (int i = 0; i < list->nelts; i++) {
        const given_t *given = &APR_ARRAY_IDX(list, i, given_t);

        if (given->option && given->name->find && !is_cursor(given)
            && !is_organization(given))
            IDV_TRY(look_for(call, given));
    }
    return NULL;
}

const char *idv_call_names(const idv_call_t *call)
{
    const apr_array_header_t *list = given_in(call);
    const char *told = NULL;

    for (int i = 0; i < list->nelts; i++) {
        const given_t *given = &APR_ARRAY_IDX(list, i, given_t);

        /* The organization has already been found. */
        if (given->name->find != find_organization && !is_cursor(given))
            told = apr_pstrcat(call->pool, told ? told : "", told ? " or " : "",
                               given->name->what, " ", given->id, NULL);
    }
    return told;
}

const char *idv_call_name_param(const idv_call_t *call, const char *param)
{
    const apr_array_header_t *list = given_in(call);

    for (int i = 0; i < list->nelts; i++) {
        const given_t *given = &APR_ARRAY_IDX(list, i, given_t);

        if ((given->option && strcmp(given->option, param) == 0)
            || (given->name->param && strcmp(given->name->param, param) == 0))
            return about(given, call->pool);
    }
    return param;
}
