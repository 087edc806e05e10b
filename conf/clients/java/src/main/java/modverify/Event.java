// SPDX-License-Identifier: Apache-2.0
package modverify;

import java.util.Map;

/**
 * Something that happened.
 *
 * @param type a value of {@link Types.EventType}, or a later one
 * @param data has {@code object}, what the event is about, as it was then
 */
public record Event(String id, String object, String type, long created, Map<String, Object> data) {
    /**
     * What the event is about. The type of the event says which record it is:
     * {@link Types.VerificationSessionSnapshot} for {@code verification_session.*},
     * {@link Types.SessionReview} for {@code session_review.*},
     * {@link Types.TrustReuseGrant} for {@code trust_reuse_grant.*},
     * {@link Types.TrustReuseConsent} for {@code trust_reuse_consent.*},
     * {@link Types.WorkflowLawNotice} for {@code workflow_law.*}.
     */
    public <T extends Record> T objectAs(Class<T> type) {
        return Json.as(type, data.get("object"));
    }
}
