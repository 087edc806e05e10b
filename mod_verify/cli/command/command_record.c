/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command_record.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/id.h"
#include "store/account/operator_action.h"

/* The user who called sudo, or NULL. */
static const char *sudo_caller(void)
{
    const char *caller = geteuid() == 0 ? getenv("SUDO_USER") : NULL;

    return caller && *caller ? caller : NULL;
}

const char *idv_call_actor(const idv_call_t *call)
{
    const char *caller = sudo_caller();
    const struct passwd *user = getpwuid(getuid());

    return apr_pstrdup(call->pool, caller ? caller
                                   : user ? user->pw_name
                                          : "unknown");
}

/* Whether FORM, the name of a value in the help, lists all possible values or
 * means a number. Such a value says nothing about a person. */
static int is_plain(const char *form)
{
    return strchr(form, '|') != NULL || strcmp(form, "N") == 0;
}

static void add_option(const idv_call_t *call, const char *option,
                       json_t *details)
{
    size_t length = strcspn(option, "!? ");
    const char *name = apr_pstrmemdup(call->pool, option, length);
    const char *value = idv_call_option(call, name);
    const char *form = strchr(option, ' ');

    if (!value)
        return;
    json_array_append_new(json_object_get(details, "options"),
                          json_string(name));
    if (form
        && (is_plain(form + 1)
            || (call->command->tells_reviewer && strcmp(name, "by") == 0)))
        json_object_set_new(details, name, json_string(value));
}

/* The names of the given options, those values that are words of this program,
 * and what the command reports about its effects. */
static const json_t *details_of(const idv_call_t *call, const json_t *answer)
{
    json_t *details =
        idv_json_own(json_pack("{s:[]}", "options"), call->pool);
    char *state, *forms = apr_pstrdup(
        call->pool, call->command->arguments ? call->command->arguments : "");
    const char *form = apr_strtok(forms, " ", &state);

    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && call->command->options[i];
         i++)
        add_option(call, call->command->options[i], details);
    for (int i = 0; form && call->arguments[i]; i++) {
        if (is_plain(form))
            json_object_set_new(details, "choice",
                                json_string(call->arguments[i]));
        form = apr_strtok(NULL, " ", &state);
    }
    if (call->command->told)
        json_object_set(details, call->command->told,
                        json_object_get(answer, call->command->told));
    return details;
}

/* Whether TEXT has the form of an id, and so is not a name, address or path. */
static int is_id(const char *text)
{
    int type = 0;

    while (text && type <= IDV_ID_REQUEST
           && !idv_id_is((idv_id_type_t)type, text))
        type++;
    return text && type <= IDV_ID_REQUEST;
}

static const char *text_at(const json_t *answer, const char *name)
{
    return json_string_value(json_object_get(answer, name));
}

static const char *subject_of(const idv_call_t *call, const json_t *answer)
{
    const char *id = text_at(answer, "id");

    if (id)
        return id;
    return is_id(call->arguments[0]) ? call->arguments[0] : NULL;
}

static const char *organization_of(const idv_call_t *call, const json_t *answer)
{
    const char *given[] = {idv_call_option(call, "org"), call->organization_id,
                           text_at(answer, "organization_id")};
    const char *subject = subject_of(call, answer);

    for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
        if (given[i])
            return given[i];
    return subject && idv_id_is(IDV_ID_ORGANIZATION, subject)
             ? subject
             : IDV_OPERATOR_EVERYWHERE;
}

idv_error_t *idv_call_record(const idv_call_t *call, const json_t *answer)
{
    idv_operator_action_t action = {
        .organization_id = organization_of(call, answer),
        .action = apr_pstrcat(call->pool, call->command->noun,
                              call->command->verb ? " " : NULL,
                              call->command->verb, NULL),
        .object_id = subject_of(call, answer),
        .reason = call->reason,
        .details = details_of(call, answer),
        .actor_type = IDV_ACTOR_VERIFYCTL,
        .authentication = sudo_caller() ? "sudo" : "system",
        .actor = idv_call_actor(call),
        .created = idv_time_now(),
    };

    return idv_operator_action_append(call->db, &action, call->pool);
}
