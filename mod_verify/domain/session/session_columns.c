/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/json_record.h"

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
    while (*state && !(text && !strcmp(idv_handoff_state_value(*state), text)))
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
    RUNNER(TEXT, hint_side),
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
    RUNNER(TEXT, document_kind),
    RUNNER(TEXT, document_issuer),
    RUNNER(TEXT, browser),
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
