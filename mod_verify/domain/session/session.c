/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session.h"

#include <stdlib.h>
#include <string.h>

#include "core/json_record.h"
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

/* --- the form in which it is kept --- */

#define EXPECTED_LENGTH 600 /* of the column `runner`, in most sessions */

static const char *write_record(const idv_json_member_t *members,
                                const void *record, apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, EXPECTED_LENGTH, pool);
    idv_json_put_record(&writer, NULL, members, record);
    return idv_json_writer_text(&writer, NULL);
}

/* --- members of more than one record --- */

static void write_methods(idv_json_writer_t *writer, const char *key,
                          const void *value)
{
    idv_method_list_write(writer, key, value);
}

static idv_error_t *read_methods(const char *json, void *value,
                                 apr_pool_t *pool)
{
    return idv_method_list_read(json, value, pool);
}

/* --- the error --- */

static const idv_json_member_t error_members[] = {
    IDV_JSON_MEMBER(TEXT, idv_session_error_t, code),
    IDV_JSON_MEMBER(TEXT, idv_session_error_t, message),
    IDV_JSON_MEMBER(TEXT, idv_session_error_t, category),
    {0},
};
IDV_JSON_RECORD_CHECK(error_members);

void idv_session_error_write(idv_json_writer_t *writer, const char *key,
                             const idv_session_error_t *error)
{
    if (error->code)
        idv_json_put_record(writer, key, error_members, error);
    else
        idv_json_put_null(writer, key);
}

const char *idv_session_error_text(const idv_session_error_t *error,
                                   apr_pool_t *pool)
{
    return error->code ? write_record(error_members, error, pool) : NULL;
}

idv_error_t *idv_session_error_load(const char *json,
                                    idv_session_error_t *error,
                                    apr_pool_t *pool)
{
    memset(error, 0, sizeof(*error));
    return json ? idv_json_read_record(json, error_members, error, pool) : NULL;
}

/* --- compliance --- */

static void write_tier(idv_json_writer_t *writer, const char *key,
                       const void *value)
{
    idv_json_put_text(writer, key,
                      idv_tier_value(*(const idv_age_tier_t *)value));
}

static idv_error_t *read_tier(const char *json, void *value, apr_pool_t *pool)
{
    *(idv_age_tier_t *)value = idv_tier_parse(idv_json_read_text(json, pool));
    return NULL;
}

static void write_acceptance(idv_json_writer_t *writer, const char *key,
                             const void *value)
{
    idv_json_put_text(
        writer, key,
        idv_mdl_acceptance_value(*(const idv_mdl_acceptance_t *)value));
}

static idv_error_t *read_acceptance(const char *json, void *value,
                                    apr_pool_t *pool)
{
    *(idv_mdl_acceptance_t *)value =
        idv_mdl_acceptance_parse(idv_json_read_text(json, pool));
    return NULL;
}

/* Written where something is done. */
static void write_unknown(idv_json_writer_t *writer, const char *key,
                          const void *value)
{
    idv_unknown_action_t action = *(const idv_unknown_action_t *)value;

    if (action != IDV_UNKNOWN_ALLOW)
        idv_json_put_text(writer, key, idv_unknown_action_value(action));
}

static idv_error_t *read_unknown(const char *json, void *value,
                                 apr_pool_t *pool)
{
    int found = idv_unknown_action_parse(idv_json_read_text(json, pool));

    *(idv_unknown_action_t *)value =
        found < 0 ? IDV_UNKNOWN_ALLOW : (idv_unknown_action_t)found;
    return NULL;
}

/* Written where the law sets a limit; zero days are one. */
static void write_retention(idv_json_writer_t *writer, const char *key,
                            const void *value)
{
    int limit = *(const int *)value;

    if (limit > 0)
        idv_json_put_integer(writer, key, limit - 1);
}

static idv_error_t *read_retention(const char *json, void *value,
                                   apr_pool_t *pool)
{
    (void)pool;
    *(int *)value = atoi(json) + 1;
    return NULL;
}

static const idv_json_member_t compliance_members[] = {
    IDV_JSON_MEMBER_BY(idv_compliance_t, age_tier, "age_tier", write_tier,
                       read_tier),
    IDV_JSON_MEMBER(INTEGER, idv_compliance_t, required_age),
    IDV_JSON_MEMBER_BY(idv_compliance_t, mdl_acceptance,
                       "mdl_acceptance_status", write_acceptance,
                       read_acceptance),
    IDV_JSON_MEMBER(BOOLEAN, idv_compliance_t, physical_check_required),
    IDV_JSON_MEMBER(TEXT, idv_compliance_t, governing_regulator),
    IDV_JSON_MEMBER(TEXT, idv_compliance_t, rule_version),
    IDV_JSON_MEMBER(INTEGER, idv_compliance_t, credential_validity_days),
    IDV_JSON_MEMBER(INTEGER, idv_compliance_t, credential_validity_minutes),
    IDV_JSON_MEMBER(TEXT, idv_compliance_t, born_before),
    IDV_JSON_MEMBER(TEXT, idv_compliance_t, as_of),
    {.name = "on_unknown",
     .kind = IDV_JSON_MEMBER_CUSTOM,
     .offset = offsetof(idv_compliance_t, on_unknown),
     .optional = 1,
     .write = write_unknown,
     .read = read_unknown},
    {.name = "data_retention_days",
     .kind = IDV_JSON_MEMBER_CUSTOM,
     .offset = offsetof(idv_compliance_t, retention_limit),
     .optional = 1,
     .write = write_retention,
     .read = read_retention},
    {0},
};
IDV_JSON_RECORD_CHECK(compliance_members);

/* Of a rule that says nothing. Most sessions name no use case and have such a
 * one, and their rows are a fifth smaller without it. To compare texts is safe
 * with whatever members come later: at worst it is kept. */
static const char no_compliance[] =
    "{\"age_tier\":null,\"required_age\":0,"
    "\"mdl_acceptance_status\":\"unknown\","
    "\"physical_check_required\":false,\"governing_regulator\":null,"
    "\"rule_version\":null,\"credential_validity_days\":0,"
    "\"credential_validity_minutes\":0,\"born_before\":null,"
    "\"as_of\":null}";

const char *idv_session_compliance_text(const idv_compliance_t *rule,
                                        apr_pool_t *pool)
{
    const char *text = write_record(compliance_members, rule, pool);

    return strcmp(text, no_compliance) == 0 ? NULL : text;
}

idv_error_t *idv_session_compliance_load(const char *json,
                                         idv_compliance_t *rule,
                                         apr_pool_t *pool)
{
    memset(rule, 0, sizeof(*rule));
    return json ? idv_json_read_record(json, compliance_members, rule, pool)
                : NULL;
}

/* --- the runner --- */

static void write_strength(idv_json_writer_t *writer, const char *key,
                           const void *value)
{
    idv_json_put_text(writer, key,
                      idv_strength_value(*(const idv_strength_t *)value));
}

static idv_error_t *read_strength(const char *json, void *value,
                                  apr_pool_t *pool)
{
    *(idv_strength_t *)value =
        idv_strength_parse(idv_json_read_text(json, pool));
    return NULL;
}

static void write_assurance(idv_json_writer_t *writer, const char *key,
                            const void *value)
{
    const char *text = idv_assurance_value(*(const idv_assurance_t *)value);

    if (text)
        idv_json_put_text(writer, key, text);
}

static idv_error_t *read_assurance(const char *json, void *value,
                                   apr_pool_t *pool)
{
    *(idv_assurance_t *)value =
        idv_assurance_parse(idv_json_read_text(json, pool));
    return NULL;
}

static const idv_json_member_t reuse_terms_members[] = {
    IDV_JSON_MEMBER_BY(idv_reuse_terms_t, min_strength, "min_strength",
                       write_strength, read_strength),
    IDV_JSON_MEMBER(INTEGER, idv_reuse_terms_t, max_age_days),
    IDV_JSON_MEMBER_BY(idv_reuse_terms_t, methods, "methods", write_methods,
                       read_methods),
    {.name = "min_assurance",
     .kind = IDV_JSON_MEMBER_CUSTOM,
     .offset = offsetof(idv_reuse_terms_t, min_assurance),
     .optional = 1,
     .write = write_assurance,
     .read = read_assurance},
    {0},
};
IDV_JSON_RECORD_CHECK(reuse_terms_members);

/* A flag that is written where it is set. */
static void write_mark(idv_json_writer_t *writer, const char *key,
                       const void *value)
{
    if (*(const int *)value)
        idv_json_put_boolean(writer, key, 1);
}

static idv_error_t *read_mark(const char *json, void *value, apr_pool_t *pool)
{
    (void)pool;
    *(int *)value = strncmp(json, "true", 4) == 0;
    return NULL;
}

static void write_traces(idv_json_writer_t *writer, const char *key,
                         const void *value)
{
    if (*(const int *)value)
        idv_json_put_integer(writer, key, *(const int *)value);
}

static idv_error_t *read_traces(const char *json, void *value, apr_pool_t *pool)
{
    (void)pool;
    *(int *)value = atoi(json);
    return NULL;
}

static void write_held(idv_json_writer_t *writer, const char *key,
                       const void *value)
{
    const char *text = *(const char *const *)value;

    if (text)
        idv_json_put_text(writer, key, text);
}

static idv_error_t *read_held(const char *json, void *value, apr_pool_t *pool)
{
    *(const char **)value = idv_json_read_text(json, pool);
    return NULL;
}

static void write_reuse_terms(idv_json_writer_t *writer, const char *key,
                              const void *value)
{
    const idv_reuse_terms_t *terms = value;

    if (terms->min_strength || terms->max_age_days || terms->methods.count
        || terms->min_assurance)
        idv_json_put_record(writer, key, reuse_terms_members, terms);
}

static idv_error_t *read_reuse_terms(const char *json, void *value,
                                     apr_pool_t *pool)
{
    return idv_json_read_record(json, reuse_terms_members, value, pool);
}

static void write_signals(idv_json_writer_t *writer, const char *key,
                          const void *value)
{
    const idv_session_signals_t *signals =
        *(const idv_session_signals_t *const *)value;

    if (signals)
        idv_session_signals_write(writer, key, signals);
}

static idv_error_t *read_signals(const char *json, void *value,
                                 apr_pool_t *pool)
{
    return idv_session_signals_read(json, value, pool);
}

static void write_state(idv_json_writer_t *writer, const char *key,
                        const void *value)
{
    const idv_handoff_state_t *state = value;

    idv_json_put_text(writer, key, idv_handoff_state_value(*state));
}

static idv_error_t *read_state(const char *json, void *value, apr_pool_t *pool)
{
    const char *text = idv_json_read_text(json, pool);
    idv_handoff_state_t *state = value;

    *state = IDV_HANDOFF_STATE_COUNT - 1;
    while (*state && !(text && !strcmp(handoff_states[*state], text)))
        --*state;
    return NULL;
}

static const idv_json_member_t handoff_members[] = {
    IDV_JSON_MEMBER_BY(idv_handoff_t, state, "state", write_state, read_state),
    IDV_JSON_MEMBER(INTEGER, idv_handoff_t, phones),
    {0},
};
IDV_JSON_RECORD_CHECK(handoff_members);

static void write_way(idv_json_writer_t *writer, const char *key,
                      const void *value)
{
    const char *const *way = value;

    if (*way)
        idv_json_put_raw(writer, key, *way);
}

static idv_error_t *read_way(const char *json, void *value, apr_pool_t *pool)
{
    (void)pool; /* JSON is of it */
    *(const char **)value = json;
    return NULL;
}

static void write_handoff(idv_json_writer_t *writer, const char *key,
                          const void *value)
{
    const idv_handoff_t *handoff = value;

    if (handoff->state || handoff->phones)
        idv_json_put_record(writer, key, handoff_members, handoff);
}

static idv_error_t *read_handoff(const char *json, void *value,
                                 apr_pool_t *pool)
{
    return idv_json_read_record(json, handoff_members, value, pool);
}

/* An absent member is 0, false, null or empty. All members are still written,
 * although half of a session's row is members without information: a release
 * can omit them once no older one reads the same rows. */
#define MEMBER(of_kind, key, member)                                           \
    {                                                                          \
        .name = key, .kind = IDV_JSON_MEMBER_##of_kind,                        \
        .offset = offsetof(idv_session_t, member), .optional = 1               \
    }
#define RUNNER(kind, member) MEMBER(kind, #member, runner.member)
#define SESSION(kind, member) MEMBER(kind, #member, member)
#define FACT(kind, member, name) MEMBER(kind, name, runner.facts.member)
#define OPTIONAL(member, key, write_it, read_it)                               \
    {                                                                          \
        .name = key, .kind = IDV_JSON_MEMBER_CUSTOM,                           \
        .offset = offsetof(idv_session_t, member), .optional = 1,              \
        .write = write_it, .read = read_it                                     \
    }
#define METHODS(member)                                                        \
    OPTIONAL(runner.member, #member, write_methods, read_methods)

static const idv_json_member_t runner_members[] = {
    RUNNER(TEXT, node),
    RUNNER(INTEGER, attempts),
    RUNNER(INTEGER, unreadable),
    METHODS(passed),
    METHODS(verified),
    RUNNER(INTEGER, submission),
    RUNNER(INTEGER, technical_failures),
    RUNNER(TEXT, hint),
    RUNNER(RAW, checks_failed),
    IDV_JSON_MEMBER_AS(INTEGER, idv_session_t, runner.facts.age, "age"),
    FACT(TEXT, jurisdiction, "evidence_jurisdiction"),
    FACT(TEXT, expiry, "evidence_expiry"),
    RUNNER(BOOLEAN, counted),
    RUNNER(BOOLEAN, review_flagged),
    RUNNER(BOOLEAN, review_escalated),
    RUNNER(TEXT, review_reason),
    SESSION(TIME, ended_at),
    SESSION(INTEGER, required_age),
    SESSION(BOOLEAN, require_email_otp),
    SESSION(BOOLEAN, email_otp_proven),
    SESSION(BOOLEAN, consent_required),
    SESSION(TIME, consented_at),
    SESSION(BOOLEAN, share_consent),
    SESSION(TEXT, consent_text),
    SESSION(BOOLEAN, identifiers_claimed),
    OPTIONAL(reuse_terms, "reuse_terms", write_reuse_terms, read_reuse_terms),
    OPTIONAL(runner.way, "way", write_way, read_way),
    OPTIONAL(runner.signals, "signals", write_signals, read_signals),
    OPTIONAL(runner.facts.assurance, "evidence_assurance", write_assurance,
             read_assurance),
    OPTIONAL(runner.document_reused, "document_reused", write_mark, read_mark),
    OPTIONAL(runner.document_traces, "document_traces", write_traces,
             read_traces),
    OPTIONAL(runner.held_method, "held_method", write_held, read_held),
    FACT(INTEGER, younger_than, "younger_than"),
    OPTIONAL(runner.handoff, "handoff", write_handoff, read_handoff),
    {0},
};
IDV_JSON_RECORD_CHECK(runner_members);

const char *idv_session_runner_text(const idv_session_t *session,
                                    apr_pool_t *pool)
{
    return write_record(runner_members, session, pool);
}

idv_error_t *idv_session_runner_load(const char *json, idv_session_t *session,
                                     apr_pool_t *pool)
{
    return idv_json_read_record(json, runner_members, session, pool);
}
