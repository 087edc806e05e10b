/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/webhook/event.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "core/json_writer.h"
#include "domain/law/law_notice.h"
#include "domain/session/session_view.h"
#include "domain/session/trust_reuse.h"
#include "domain/transition/session_step.h"

#define ENVELOPE_LENGTH 200

const char *idv_event_body(const char *id, idv_event_type_t type,
                           idv_time_t created, const char *object,
                           apr_pool_t *pool)
{
    idv_json_writer_t event;

    idv_json_writer_init(&event, strlen(object) + ENVELOPE_LENGTH, pool);
    idv_json_open_object(&event, NULL);
    idv_json_put_text(&event, "id", id);
    idv_json_put_text(&event, "object", "event");
    idv_json_put_text(&event, "type", idv_event_type_value(type));
    idv_json_put_integer(&event, "created", idv_time_seconds(created));
    idv_json_open_object(&event, "data");
    idv_json_put_raw(&event, "object", object);
    idv_json_close_object(&event);
    idv_json_close_object(&event);
    return idv_json_writer_text(&event, NULL);
}

static int is_wildcard(const json_t *item)
{
    return json_is_string(item) && !strcmp(json_string_value(item), "*");
}

idv_error_t *idv_event_subscription_check(const json_t *value,
                                          const char *param, apr_pool_t *pool)
{
    unsigned seen = 0;
    const json_t *item;
    size_t i;

    if (!json_is_array(value) || json_array_size(value) == 0)
        return idv_error_param(pool, param,
                               "must be a list of event types or `[\"*\"]`.");
    if (json_array_size(value) == 1 && is_wildcard(json_array_get(value, 0)))
        return NULL;
    json_array_foreach (value, i, item) {
        const char *path =
            apr_psprintf(pool, "%s[%" APR_SIZE_T_FMT "]", param, i);
        idv_event_type_t type = idv_event_type_parse(json_string_value(item));

        if (is_wildcard(item))
            return idv_error_param(pool, path,
                                   "is `*`, which must be the only entry.");
        if (type == IDV_EVENT_NONE)
            return idv_error_param(pool, path,
                                   "must be an event type, such as "
                                   "`verification_session.verified`.");
        if (seen & 1u << type)
            return idv_error_param(pool, path,
                                   "is listed twice. List it once.");
        seen |= 1u << type;
    }
    return NULL;
}

/* --- test events --- */

#define SAMPLE_AGE (5 * IDV_MINUTE)  /* of the session */
#define GRANT_VALIDITY (90 * IDV_DAY)
#define SAMPLE_METHOD IDV_METHOD_DOCUMENT_CAPTURE
#define SAMPLE_ASSURANCE IDV_ASSURANCE_CONSISTENT

static const char *sample_id(idv_id_type_t type, apr_pool_t *pool)
{
    return apr_psprintf(pool, "%s%0*d", idv_id_prefix(type),
                        IDV_ID_BODY_LENGTH, 0);
}

/* The status in which a session of such an event is; IDV_STATUS_NONE: its type
 * is not about a session. */
static idv_session_status_t status_of(idv_event_type_t type)
{
    static const idv_session_status_t statuses[IDV_EVENT_TYPE_COUNT] = {
        [IDV_EVENT_SESSION_CREATED] = IDV_STATUS_CREATED,
        [IDV_EVENT_SESSION_VERIFIED] = IDV_STATUS_VERIFIED,
        [IDV_EVENT_SESSION_FAILED] = IDV_STATUS_FAILED,
        [IDV_EVENT_SESSION_CANCELLED] = IDV_STATUS_CANCELLED,
        [IDV_EVENT_SESSION_EXPIRED] = IDV_STATUS_EXPIRED,
        [IDV_EVENT_REVIEW_FLAGGED] = IDV_STATUS_UNDER_REVIEW,
        [IDV_EVENT_REVIEW_APPROVED] = IDV_STATUS_UNDER_REVIEW,
        [IDV_EVENT_REVIEW_REJECTED] = IDV_STATUS_UNDER_REVIEW,
        [IDV_EVENT_REVIEW_ESCALATED] = IDV_STATUS_UNDER_REVIEW,
        [IDV_EVENT_GRANT_CREATED] = IDV_STATUS_NONE,
        [IDV_EVENT_GRANT_REVOKED] = IDV_STATUS_NONE,
        [IDV_EVENT_CONSENT_REVOKED] = IDV_STATUS_NONE,
        [IDV_EVENT_LAW_CHANGES] = IDV_STATUS_NONE,
        [IDV_EVENT_LAW_REVIEW_DUE] = IDV_STATUS_NONE,
    };

    return statuses[type];
}

static json_t *sample_result(apr_pool_t *pool)
{
    return idv_json_own(
        json_pack("{s:s, s:s, s:f, s:b, s:i, s:b, s:i, s:b, s:b}", "method",
                  idv_method_value(SAMPLE_METHOD), "assurance",
                  idv_assurance_value(SAMPLE_ASSURANCE), "confidence",
                  idv_assurance_confidence(SAMPLE_ASSURANCE, 0.98),
                  "age_verified", 1, "age_estimate", 34, "identity_verified", 1,
                  "liveness_score", 0, "face_match_passed", 0,
                  "barcode_cross_ref_match", 1),
        pool);
}

static void fill_outcome(idv_session_t *session,
                         const idv_event_sample_t *sample, apr_pool_t *pool)
{
    int verified = session->status == IDV_STATUS_VERIFIED;

    if (!verified && session->status != IDV_STATUS_FAILED)
        return;
    session->completed_at = sample->now;
    session->runner.counted = verified;
    if (verified)
        session->verification_result =
            idv_json_text(sample_result(pool), pool);
    else
        session->last_error = (idv_session_error_t){
            "document_expired", "This document has expired.",
            "verification_declined"};
}

static void fill_session(idv_session_t *session,
                         const idv_event_sample_t *sample,
                         idv_event_type_t type, apr_pool_t *pool)
{
    *session = (idv_session_t){
        .id = sample_id(IDV_ID_SESSION, pool),
        .organization_id = sample->organization_id,
        .workflow_id = sample_id(IDV_ID_WORKFLOW, pool),
        .workflow_version_id = sample_id(IDV_ID_WORKFLOW_VERSION, pool),
        .status = status_of(type),
        .type = IDV_SESSION_TYPE_AGE,
        .current_method = IDV_METHOD_NONE,
        .client_reference_id = "test",
        .created = sample->now - SAMPLE_AGE,
        .updated = sample->now,
        .expires_at = sample->now - SAMPLE_AGE + IDV_DAY,
        .age_tier = IDV_TIER_MIN_AGE_18,
        .jurisdiction = {.resolved = "US-CA", .declared = "US-CA",
                         .ip_derived = "US-CA",
                         .source = IDV_JURISDICTION_EXPLICIT},
        .runner = {.review_reason = "A test of the endpoint."},
    };
    fill_outcome(session, sample, pool);
    if (session->status == IDV_STATUS_UNDER_REVIEW) {
        session->review_opened_at = sample->now - IDV_MINUTE;
        session->review_deadline = session->review_opened_at + 3 * IDV_DAY;
    }
}

static const char *session_sample(const idv_event_sample_t *sample,
                                  idv_event_type_t type, apr_pool_t *pool)
{
    const idv_review_decision_t decision = {.by = "test", .at = sample->now};
    idv_session_t session;

    fill_session(&session, sample, type, pool);
    if (session.status != IDV_STATUS_UNDER_REVIEW)
        return idv_session_snapshot(&session, pool);
    return idv_session_review_text(
        &session, type, type == IDV_EVENT_REVIEW_FLAGGED ? NULL : &decision,
        pool);
}

static const char *grant_sample(const idv_event_sample_t *sample,
                                idv_event_type_t type, apr_pool_t *pool)
{
    idv_trust_reuse_grant_t grant = {
        .organization_id = sample->organization_id,
        .id = sample_id(IDV_ID_TRUST_REUSE_GRANT, pool),
        .source_organization_id = sample_id(IDV_ID_ORGANIZATION, pool),
        .session_id = sample_id(IDV_ID_SESSION, pool),
        .verified_person_id = sample_id(IDV_ID_VERIFIED_PERSON, pool),
        .method = SAMPLE_METHOD,
        .age_tier = IDV_TIER_MIN_AGE_18,
        .strength = idv_method_strength(SAMPLE_METHOD),
        .granted_at = sample->now - SAMPLE_AGE,
        .expires_at = sample->now - SAMPLE_AGE + GRANT_VALIDITY,
    };

    if (type == IDV_EVENT_GRANT_CREATED)
        return idv_trust_reuse_grant_text(&grant, pool);
    grant.revoked_at = sample->now;
    grant.revoked_reason = idv_grant_revocation_value(
        type == IDV_EVENT_CONSENT_REVOKED ? IDV_GRANT_USER_REVOKED_CONSENT
                                          : IDV_GRANT_TARGET_OPERATOR_REVOKED);
    return type == IDV_EVENT_CONSENT_REVOKED
             ? idv_trust_reuse_consent_text(&grant, pool)
             : idv_trust_reuse_grant_text(&grant, pool);
}

/* A change in a month, or a review that was due yesterday. */
static const char *law_sample(const idv_event_sample_t *sample,
                              idv_event_type_t type, apr_pool_t *pool)
{
    idv_law_notice_kind_t kind = type == IDV_EVENT_LAW_CHANGES
                                   ? IDV_LAW_NOTICE_CHANGE
                                   : IDV_LAW_NOTICE_REVIEW;
    const idv_law_notice_subject_t subject = {
        sample_id(IDV_ID_WORKFLOW, pool),
        sample_id(IDV_ID_WORKFLOW_VERSION, pool), IDV_USE_CASE_ALCOHOL_DELIVERY};
    const idv_law_notice_t notice = {
        1, "DE",
        idv_date_at(sample->now
                        + (kind == IDV_LAW_NOTICE_CHANGE ? 30 : -1) * IDV_DAY,
                    0)};

    return idv_law_notice_text(&subject, kind, &notice, pool);
}

static const char *sample_text(const idv_event_sample_t *sample,
                               idv_event_type_t type, apr_pool_t *pool)
{
    if (type == IDV_EVENT_LAW_CHANGES || type == IDV_EVENT_LAW_REVIEW_DUE)
        return law_sample(sample, type, pool);
    return status_of(type) == IDV_STATUS_NONE
             ? grant_sample(sample, type, pool)
             : session_sample(sample, type, pool);
}

json_t *idv_event_sample_json(const idv_event_sample_t *sample,
                              idv_event_type_t type, apr_pool_t *pool)
{
    json_t *object = idv_json_load(sample_text(sample, type, pool), pool);

    json_object_set_new(object, "test", json_true());
    return object;
}

const char *idv_event_sample_object_id(const json_t *object)
{
    static const char *const members[] = {"id", "session_id",
                                          "verified_person_id", "workflow_id"};
    const char *id = NULL;

    for (size_t i = 0; !id && i < sizeof(members) / sizeof(*members); i++)
        id = json_string_value(json_object_get(object, members[i]));
    return id;
}
