/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/test_value.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "methods/document/document_decision.h"
#include "methods/face/face_decision.h"
#include "methods/mdl/mdl_decision.h"
#include "methods/passport/passport_checks.h"
#include "methods/passport/passport_findings.h"

/* The years of a person who passes where no higher age is required. */
#define ADULT 30
#define DECLINED "verification_declined"

/* Codes shared by several methods appear only once here: the first entry
 * counts. */
static const idv_method_error_t failures[] = {
#define X(name, code, message, category) {code, message, category},
    IDV_SESSION_ERRORS(X) IDV_MDL_ERRORS(X) IDV_PASSPORT_ERRORS(X)
#undef X
#define X(name, code, message) {code, message, DECLINED},
        IDV_DOCUMENT_ERRORS(X) IDV_FACE_ERRORS(X)
#undef X
};

static const char *const hints[] = {
#define X(name, code) code,
    IDV_SESSION_HINTS(X) IDV_DOCUMENT_HINTS(X) IDV_FACE_HINTS(X)
        IDV_PASSPORT_HINTS(X)
#undef X
};

static const idv_method_error_t *find_failure(const char *value)
{
    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
        if (strcmp(failures[i].code, value) == 0)
            return &failures[i];
    return NULL;
}

/* The entry of VALUE in hints, or NULL. */
static const char *const *find_hint(const char *value)
{
    for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++)
        if (strcmp(hints[i], value) == 0)
            return &hints[i];
    return NULL;
}

/* The simulated result of METHOD for a person of AGE; NULL for no method. */
static json_t *summary(idv_method_t method, int passed, int age,
                       apr_pool_t *pool)
{
    idv_assurance_t assurance;

    if (method == IDV_METHOD_NONE)
        return NULL;
    assurance = passed ? idv_method_reach(method) : IDV_ASSURANCE_NONE;
    return idv_json_own(
        json_pack("{s:s, s:f, s:f, s:b, s:i, s:b}", "method",
                  idv_method_value(method), "confidence",
                  idv_assurance_confidence(assurance, 1.0), "liveness_score",
                  0.0, "age_verified", passed, "age_estimate",
                  passed ? age : 0, "identity_verified",
                  idv_assurance_identifies(assurance)),
        pool);
}

static int is_under_age(const idv_method_error_t *failure)
{
    return failure
        && strcmp(failure->code,
                  idv_session_error(IDV_SESSION_ERROR_UNDER_AGE)->code)
               == 0;
}

/* A decided outcome of METHOD; FAILURE is NULL for one that passes. */
static idv_method_outcome_t decided(idv_method_verdict_t verdict,
                                    idv_method_t method,
                                    const idv_method_error_t *failure,
                                    const idv_session_t *session,
                                    apr_pool_t *pool)
{
    int age = session->required_age > ADULT ? session->required_age : ADULT;

    return (idv_method_outcome_t){
        .verdict = verdict,
        .assurance = method == IDV_METHOD_NONE ? IDV_ASSURANCE_NONE
                                               : idv_method_reach(method),
        .doubts = verdict == IDV_METHOD_UNDETERMINED
                    ? 1u << IDV_DOUBT_UNDETERMINED
                    : 0,
        .verification_result =
            summary(method, verdict == IDV_METHOD_PASSED, age, pool),
        .last_error = failure,
        .facts = {.age = verdict == IDV_METHOD_FAILED ? -1 : age,
                  .younger_than = is_under_age(failure) ? session->required_age
                                                        : 0},
    };
}

/* Zero if VALUE is not an outcome. */
static int read_outcome(const char *value, idv_method_t method,
                        const idv_session_t *session,
                        idv_method_outcome_t *outcome, apr_pool_t *pool)
{
    const idv_method_error_t *failure = find_failure(value);
    const char *const *hint = find_hint(value);
    idv_method_verdict_t verdict = IDV_METHOD_FAILED;

    *outcome = (idv_method_outcome_t){.verdict = IDV_METHOD_UNREADABLE,
                                      .hint = hint ? *hint : NULL,
                                      .facts.age = -1};
    if (outcome->hint)
        return 1;
    if (strcmp(value, "passed") == 0)
        verdict = IDV_METHOD_PASSED;
    else if (strcmp(value, "undetermined") == 0)
        verdict = IDV_METHOD_UNDETERMINED;
    else if (!failure)
        return 0;
    if (verdict == IDV_METHOD_UNDETERMINED)
        failure = idv_session_error(IDV_SESSION_ERROR_DECLINED);
    *outcome = decided(verdict, method, failure, session, pool);
    return 1;
}

static idv_error_t *choose_method(idv_method_t method,
                                  const idv_method_list_t *choices,
                                  idv_method_t *chosen, apr_pool_t *pool)
{
    *chosen = method == IDV_METHOD_NONE && choices->count ? choices->items[0]
                                                          : method;
    if (choices->count && !idv_method_list_has(choices, *chosen))
        return idv_error_param(pool, "method",
                               "must be one of the session's current methods.");
    return NULL;
}

/* Lists every accepted value once. */
static idv_error_t *unknown_value(apr_pool_t *pool)
{
    const char *values = "passed, undetermined, review_approved, "
                         "review_rejected";

    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
        if (find_failure(failures[i].code) == &failures[i])
            values = apr_pstrcat(pool, values, ", ", failures[i].code, NULL);
    for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++)
        if (find_hint(hints[i]) == &hints[i])
            values = apr_pstrcat(pool, values, ", ", hints[i], NULL);
    return idv_error_param(pool, "value", "must be a test value: %s.", values);
}

idv_error_t *idv_test_value_input(const char *value, idv_method_t method,
                                  const idv_session_t *session,
                                  const idv_method_list_t *choices,
                                  idv_session_input_t *input, apr_pool_t *pool)
{
    static const struct {
        const char *value;
        idv_session_input_type_t type;
    } decisions[] = {{"review_approved", IDV_INPUT_REVIEW_APPROVE},
                     {"review_rejected", IDV_INPUT_REVIEW_REJECT}};
    idv_method_outcome_t *outcome = apr_pcalloc(pool, sizeof(*outcome));

    for (size_t i = 0; i < sizeof(decisions) / sizeof(*decisions); i++)
        if (strcmp(decisions[i].value, value) == 0) {
            input->type = decisions[i].type;
            input->is_test = 1;
            return NULL;
        }
    IDV_TRY(choose_method(method, choices, &input->method, pool));
    input->type = IDV_INPUT_TEST_OUTCOME;
    input->outcome = outcome;
    return read_outcome(value, input->method, session, outcome, pool)
             ? NULL
             : unknown_value(pool);
}
