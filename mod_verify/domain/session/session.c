/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session.h"

#include <string.h>

#include "core/word_list.h"
#include "domain/method/method_evidence.h"

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
#define X(name, code, reason) [IDV_SESSION_CHECK_##name] = {code, 0, reason, 0},
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
    int found = idv_word_find(paths, IDV_PATH_COUNT, value);

    return found < 0 ? IDV_PATH_FRESH : found;
}

int idv_session_requires_email_otp(const idv_session_t *session)
{
    return session->require_email_otp && !session->email_otp_proven;
}

idv_error_t *idv_session_check_otp(const idv_session_t *session, idv_time_t now,
                                   apr_pool_t *pool)
{
    int is_wanted = (session->require_email_otp || session->identifiers_claimed)
                 && !session->email_otp_proven;

    return is_wanted && !idv_session_is_over(session, now)
                && session->status != IDV_STATUS_UNDER_REVIEW
             ? NULL
             : idv_error_new(IDV_E_SESSION_NOT_REDEEMABLE, pool);
}

/* Whether the workflow still waits for a proof before it binds anything. */
static int awaits_proof(const idv_session_t *session)
{
    return idv_session_requires_email_otp(session)
        && session->verification_path != IDV_PATH_SANDBOX;
}

int idv_session_email_stands(const idv_session_t *session)
{
    return session->email_otp_proven
        || (!session->identifiers_claimed && !awaits_proof(session));
}

int idv_session_phone_stands(const idv_session_t *session)
{
    return !session->identifiers_claimed && !awaits_proof(session);
}

static const char *const handoff_states[IDV_HANDOFF_STATE_COUNT] = {
#define X(name, value) [IDV_HANDOFF_##name] = value,
    IDV_HANDOFF_STATES(X)
#undef X
};

const char *idv_handoff_state_value(idv_handoff_state_t state)
{
    return handoff_states[state];
}

/* The number of the phone that has SESSION; 0: the first device has it. */
static int phone_of(const idv_session_t *session)
{
    const idv_handoff_t *handoff = &session->runner.handoff;

    return handoff->state == IDV_HANDOFF_HELD
                || handoff->state == IDV_HANDOFF_IDLE
             ? handoff->phones
             : 0;
}

int idv_session_has_left_device(const idv_session_t *session,
                                const idv_device_t *device)
{
    return device->kind == IDV_DEVICE_PHONE
        && device->phone != phone_of(session);
}

int idv_session_has_moved(const idv_session_t *before,
                          const idv_session_t *after)
{
    return phone_of(before) != phone_of(after);
}

idv_error_t *idv_session_check_device(const idv_session_t *session,
                                      const idv_device_t *device,
                                      apr_pool_t *pool)
{
    if (idv_session_has_left_device(session, device)
        || (device->kind == IDV_DEVICE_FIRST && session->active_device))
        return idv_error_new(IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, pool);
    return NULL;
}

int idv_session_secret_usable(const idv_session_t *session, idv_time_t now)
{
    return session->ended_at ? now < session->ended_at + SECRET_GRACE
                             : idv_session_status_open(session->status);
}

int idv_session_has_passed_evidence(const idv_session_t *session)
{
    const idv_method_list_t *passed = &session->runner.verified;
    const idv_evidence_part_t *parts[IDV_METHOD_PARTS_MAX];

    for (int i = 0; i < passed->count; i++)
        if (idv_evidence_parts_of(passed->items[i], parts) > 0)
            return 1;
    return 0;
}

/* A session counted by its cancellation was never completed. */
int idv_session_was_verified(const idv_session_t *session)
{
    return session->runner.counted && session->completed_at;
}

int idv_session_is_too_young(const idv_session_t *session)
{
    int limit = session->runner.facts.younger_than;

    return limit > 0 && session->required_age >= limit;
}

int idv_session_is_over(const idv_session_t *session, idv_time_t now)
{
    return !idv_session_status_open(session->status)
        || (session->status != IDV_STATUS_UNDER_REVIEW
            && now >= session->expires_at);
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

int idv_session_has_to_wait(const idv_session_t *session,
                            const idv_workflow_node_t *node,
                            idv_method_t method)
{
    if (method != IDV_METHOD_SELFIE_MATCH || node->mode != IDV_MODE_ALL_OF)
        return 0;
    for (int i = 0; i < node->methods.count; i++)
        if (idv_method_kind(node->methods.items[i]) == IDV_METHOD_PRIMARY
            && !idv_method_list_has(&session->runner.passed,
                                    node->methods.items[i]))
            return 1;
    return 0;
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
            && !idv_method_list_has(&session->runner.passed, method)
            && !idv_session_has_to_wait(session, node, method))
            idv_method_list_add(choices, method);
    }
}

idv_error_t *idv_session_check_awaiting(const idv_session_t *session,
                                        const idv_workflow_t *workflow,
                                        idv_time_t now, apr_pool_t *pool)
{
    idv_method_list_t choices;

    if (idv_session_is_over(session, now))
        return idv_error_new(IDV_E_SESSION_TERMINAL, pool);
    idv_session_choices(session, workflow, &choices);
    if (choices.count == 0
        || (session->consent_required && !session->consented_at))
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    return NULL;
}

idv_error_t *idv_session_check_asked(const idv_session_t *session,
                                     const idv_workflow_t *workflow,
                                     idv_method_t method, idv_time_t now,
                                     apr_pool_t *pool)
{
    idv_method_list_t choices;

    IDV_TRY(idv_session_check_awaiting(session, workflow, now, pool));
    idv_session_choices(session, workflow, &choices);
    return idv_method_list_has(&choices, method)
             ? NULL
             : idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
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
