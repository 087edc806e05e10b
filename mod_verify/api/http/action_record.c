/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/action_record.h"

#include <string.h>

#include <apr_strings.h>

#include "store/account/operator_action.h"

/* Parameters whose texts are the service's own words or names of operators, never
 * data of the people who are verified. */
static const char *const plain_parameters[] = {
    "accepted_methods", "assignee", "billing_status", "decision",
    "enabled_events", "overruled_checks", "publishable_session_create",
    "reason_code", "status", "type",
};

static int is_plain(const char *name, const json_t *value)
{
    if (json_is_boolean(value) || json_is_number(value) || json_is_null(value))
        return 1;
    for (size_t i = 0;
         i < sizeof(plain_parameters) / sizeof(*plain_parameters); i++)
        if (strcmp(plain_parameters[i], name) == 0)
            return 1;
    return 0;
}

json_t *idv_record_parameters(const idv_request_t *request, apr_pool_t *pool)
{
    json_t *details, *names, *value;
    const char *name;

    if (json_object_size(request->parameters) == 0)
        return NULL;
    details = idv_json_own(json_object(), pool);
    names = json_array();
    json_object_set_new(details, "parameters", names);
    json_object_foreach(request->parameters, name, value)
    {
        json_array_append_new(names, json_string(name));
        if (is_plain(name, value))
            json_object_set(details, name, value);
    }
    return details;
}

static const char *action_of(const idv_request_t *request, apr_pool_t *pool)
{
    return apr_pstrcat(pool, request->route->method, " ",
                       request->route->pattern, NULL);
}

static void fill_actor(const idv_request_t *request,
                       idv_operator_action_t *action)
{
    const idv_operator_t *operator = request->operator;

    action->address = request->r->useragent_ip;
    action->request_id = request->id;
    if (!operator) {
        action->actor_type = IDV_ACTOR_API_KEY;
        action->actor = request->key->id;
        return;
    }
    action->actor_type = IDV_ACTOR_OPERATOR;
    action->actor = operator->user;
    action->authentication = operator->authentication;
    action->role = idv_role_name(operator->role);
    action->rule = operator->rule;
}

idv_error_t *idv_record_action(idv_db_t *db, const idv_request_t *request,
                               const idv_recorded_t *what, apr_pool_t *pool)
{
    idv_operator_action_t action = {
        .organization_id = request->key ? request->key->organization_id
                                        : IDV_OPERATOR_EVERYWHERE,
        .action = what->action ? what->action : action_of(request, pool),
        .object_id = what->object_id ? what->object_id
                                     : idv_request_path(request, "id"),
        .reason = what->reason,
        .details = what->details ? what->details
                                 : idv_record_parameters(request, pool),
        .created = request->now,
    };

    if (!request->operator && !(request->key && what->is_administrative))
        return NULL;
    fill_actor(request, &action);
    return idv_operator_action_append(db, &action, pool);
}
