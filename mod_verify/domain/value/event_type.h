/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_EVENT_TYPE_H
#define IDV_DOMAIN_VALUE_EVENT_TYPE_H

/*
 * The types of events that webhooks report. An endpoint subscribed to `*` gets
 * all of them except those of `workflow_law`, which are meant for people and
 * must be subscribed to by name (sql/fragments/event_subscribed.sql).
 *
 * Memory: constants. Threads: pure.
 */

#define IDV_EVENT_TYPES(X)                                                     \
    X(SESSION_CREATED, "verification_session.created")                         \
    X(SESSION_VERIFIED, "verification_session.verified")                       \
    X(SESSION_FAILED, "verification_session.failed")                           \
    X(SESSION_CANCELLED, "verification_session.cancelled")                     \
    X(SESSION_EXPIRED, "verification_session.expired")                         \
    X(REVIEW_FLAGGED, "session_review.flagged")                                \
    X(REVIEW_APPROVED, "session_review.approved")                              \
    X(REVIEW_REJECTED, "session_review.rejected")                              \
    X(REVIEW_ESCALATED, "session_review.escalated")                            \
    X(GRANT_CREATED, "trust_reuse_grant.created")                              \
    X(GRANT_REVOKED, "trust_reuse_grant.revoked")                              \
    X(CONSENT_REVOKED, "trust_reuse_consent.revoked_by_user")                  \
    X(LAW_CHANGES, "workflow_law.changes")                                     \
    X(LAW_REVIEW_DUE, "workflow_law.review_due")

typedef enum {
#define X(name, value) IDV_EVENT_##name,
    IDV_EVENT_TYPES(X)
#undef X
    IDV_EVENT_TYPE_COUNT,
    IDV_EVENT_NONE = -1
} idv_event_type_t;

/* All API values, NULL-terminated. */
extern const char *const idv_event_type_values[];

/* The API value; NULL for none. */
const char *idv_event_type_value(idv_event_type_t type);

/* The type named VALUE; IDV_EVENT_NONE for anything else. */
idv_event_type_t idv_event_type_parse(const char *value);

#endif
