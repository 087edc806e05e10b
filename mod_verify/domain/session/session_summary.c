/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_summary.h"

#include "core/json.h"

#define AGE "age_verified"
#define AGE_ESTIMATE "age_estimate"
#define IDENTITY "identity_verified"

static int is_about_age(const idv_session_t *session)
{
    return session->required_age > 0 || session->type == IDV_SESSION_TYPE_AGE;
}

static int is_about_person(const idv_session_t *session)
{
    return session->type == IDV_SESSION_TYPE_IDENTITY
        || session->type == IDV_SESSION_TYPE_STUDENT;
}

/* The summary, POOL's; NULL: there is none. */
static json_t *summary_of(const idv_session_t *session, apr_pool_t *pool)
{
    const char *text = session->verification_result;

    return text ? idv_json_load(text, pool) : NULL;
}

const idv_session_error_t *idv_session_objection(const idv_session_t *session,
                                                 apr_pool_t *pool)
{
    const json_t *summary = summary_of(session, pool);

    if (idv_session_is_too_young(session))
        return idv_session_error(IDV_SESSION_ERROR_UNDER_AGE);
    if (is_about_age(session) && json_is_false(json_object_get(summary, AGE)))
        return idv_session_error(IDV_SESSION_ERROR_AGE_UNDETERMINED);
    if (is_about_person(session)
        && json_is_false(json_object_get(summary, IDENTITY)))
        return idv_session_error(IDV_SESSION_ERROR_ASSURANCE_INSUFFICIENT);
    return NULL;
}

int idv_session_summary_age(const idv_session_t *session, apr_pool_t *pool)
{
    const json_t *summary = summary_of(session, pool);

    return summary ? (int)json_integer_value(
               json_object_get(summary, AGE_ESTIMATE))
                   : -1;
}

/* Makes the member KEY of SUMMARY true; non-zero when it was not. */
static int claim(json_t *summary, const char *key)
{
    if (json_is_true(json_object_get(summary, key)))
        return 0;
    json_object_set_new(summary, key, json_true());
    return 1;
}

const char *idv_session_summary_accept(const idv_session_t *session,
                                       int reviewer, apr_pool_t *pool)
{
    json_t *summary = summary_of(session, pool);
    int is_new = 0;

    if (!summary)
        return NULL;
    if (is_about_age(session))
        is_new |= claim(summary, AGE);
    if (is_about_person(session))
        is_new |= claim(summary, IDENTITY);
    if (reviewer && is_new) {
        if (idv_session_summary_age(session, pool) < session->required_age)
            json_object_set_new(summary, AGE_ESTIMATE,
                                json_integer(session->required_age));
        json_object_set_new(summary, "reviewed", json_true());
    }
    return idv_json_text(summary, pool);
}

/* --- one summary of several methods --- */

/* Members that layers add to a session's summary. The last two raise the
 * assurance of earlier evidence, and say nothing about later evidence. */
static const char *const layer_members[] = {
    "liveness_score",  "liveness",  "face_match_passed",
    "portrait_source", "assurance", "confidence"};
#define LASTING_MEMBERS 4

/* The summary of a session of which only the layer METHOD is known. */
static json_t *bare_summary(idv_method_t method, apr_pool_t *pool)
{
    return idv_json_own(json_pack("{s:s, s:i, s:b, s:i, s:b, s:i}", "method",
                                  idv_method_value(method), "confidence", 0,
                                  AGE, 0, AGE_ESTIMATE, 0, IDENTITY, 0,
                                  "liveness_score", 0),
                        pool);
}

const char *idv_session_summary_join(const char *text, idv_method_t method,
                                     json_t *found, apr_pool_t *pool)
{
    json_t *before = text ? idv_json_load(text, pool) : NULL;
    int is_layer = idv_method_kind(method) == IDV_METHOD_LAYER;
    size_t count = is_layer ? sizeof(layer_members) / sizeof(*layer_members)
                            : LASTING_MEMBERS;
    json_t *joined;

    if (!before && is_layer)
        before = bare_summary(method, pool);
    if (!before)
        return idv_json_text(found, pool);
    joined = idv_json_own(json_copy(is_layer ? before : found), pool);
    for (size_t i = 0; i < count; i++) {
        json_t *member =
            json_object_get(is_layer ? found : before, layer_members[i]);

        if (member)
            json_object_set(joined, layer_members[i], member);
    }
    return idv_json_text(joined, pool);
}
