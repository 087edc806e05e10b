-- Who works on which held session, why reviewers decided as they did, and the
-- queue in the order of deadlines.
CREATE TABLE review_claim (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    reviewer        text NOT NULL,
    claimed_at      bigint NOT NULL,
    expires_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE review_claim IS
    'Which reviewer looks at a session under review; others wait until then.';
COMMENT ON COLUMN review_claim.reviewer IS
    'Who, as the entry of the decision will say (review_entry.actor)';

ALTER TABLE review_entry ADD COLUMN reason_code text;
COMMENT ON COLUMN review_entry.reason_code IS
    'Of a decision, as domain/review.h lists them; NULL: none was given';

CREATE INDEX verification_session_by_review
    ON verification_session (organization_id, review_deadline_at, id)
    WHERE status = 'under_review';
