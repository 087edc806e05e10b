/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session.h"

#include <string.h>

/* How long the client secret still reads the outcome of an ended session. */
#define SECRET_GRACE IDV_HOUR

static const struct {
    const char *value;
    int open;
} statuses[IDV_STATUS_COUNT] = {
#define X(name, value, open) [IDV_STATUS_##name] = {value, open},
    IDV_SESSION_STATUSES(X)
#undef X
};

static const char *const paths[IDV_PATH_COUNT] = {
#define X(name, value) [IDV_PATH_##name] = value,
    IDV_VERIFICATION_PATHS(X)
#undef X
};

static const idv_session_error_t errors[] = {
#define X(name, code, message, category)                                       \
    [IDV_SESSION_ERROR_##name] = {code, message, category},
    IDV_SESSION_ERRORS(X)
#undef X
};

static const idv_method_check_t checks[] = {
#define X(name, code, reason) [IDV_SESSION_CHECK_##name] = {code, 0, reason},
    IDV_SESSION_CHECKS(X)
#undef X
};

static const char *const hints[] = {
#define X(name, code) [IDV_SESSION_HINT_##name] = code,
    IDV_SESSION_HINTS(X)
#undef X
};

const idv_session_error_t *idv_session_error(idv_session_failure_t failure)
{
    return &errors[failure];
}

const idv_method_check_t *idv_session_check(idv_session_check_t check)
{
    return &checks[check];
}

const char *idv_session_hint(idv_session_hint_t hint)
{
    return hints[hint];
}

const char *idv_session_status_value(idv_session_status_t status)
{
    return status == IDV_STATUS_NONE ? NULL : statuses[status].value;
}

idv_session_status_t idv_session_status_parse(const char *value)
{
    for (int i = 0; value && i < IDV_STATUS_COUNT; i++)
        if (!strcmp(statuses[i].value, value))
            return i;
    return IDV_STATUS_NONE;
}

int idv_session_status_open(idv_session_status_t status)
{
    return status != IDV_STATUS_NONE && statuses[status].open;
}

const char *idv_verification_path_value(idv_verification_path_t path)
{
    return paths[path];
}

idv_verification_path_t idv_verification_path_parse(const char *value)
{
    for (int i = IDV_PATH_FRESH + 1; value && i < IDV_PATH_COUNT; i++)
        if (!strcmp(paths[i], value))
            return i;
    return IDV_PATH_FRESH;
}

int idv_session_requires_email_otp(const idv_session_t *session)
{
    return session->require_email_otp && !session->email_otp_proven;
}

int idv_session_email_stands(const idv_session_t *session)
{
    return !session->identifiers_claimed || session->email_otp_proven;
}

int idv_session_phone_stands(const idv_session_t *session)
{
    return !session->identifiers_claimed;
}

int idv_session_secret_usable(const idv_session_t *session, idv_time_t now)
{
    return session->ended_at ? now < session->ended_at + SECRET_GRACE
                             : idv_session_status_open(session->status);
}

static const idv_workflow_node_t *methods_node(const idv_session_t *session,
                                               const idv_workflow_t *workflow)
{
    const idv_workflow_node_t *node =
        idv_workflow_node(workflow, session->runner.node);

    return node && node->type == IDV_NODE_METHODS
                && idv_session_status_open(session->status)
             ? node
             : NULL;
}

void idv_session_choices(const idv_session_t *session,
                         const idv_workflow_t *workflow,
                         idv_method_list_t *choices)
{
    const idv_workflow_node_t *node = methods_node(session, workflow);

    memset(choices, 0, sizeof(*choices));
    if (!node
        || (session->status != IDV_STATUS_PENDING
            && session->status != IDV_STATUS_REQUIRES_INPUT))
        return;
    for (int i = 0; i < node->methods.count; i++) {
        idv_method_t method = node->methods.items[i];

        if (idv_method_list_has(&session->methods, method)
            && !idv_method_list_has(&session->runner.passed, method))
            idv_method_list_add(choices, method);
    }
}

int idv_session_attempts_remaining(const idv_session_t *session,
                                   const idv_workflow_t *workflow)
{
    const idv_workflow_node_t *node = methods_node(session, workflow);

    if (!node)
        return -1;
    return session->runner.attempts < node->max_attempts
             ? node->max_attempts - session->runner.attempts
             : 0;
}
