-- Passive checks of sessions: those that nobody has run yet, the assessments
-- that belong to a session, and how old assessments are.

-- An analysis has a current method; what processes without one waits for its
-- checks. Nearly always empty.
CREATE INDEX verification_session_checks_due
    ON verification_session (updated_at, id)
    WHERE status = 'processing' AND current_method IS NULL;

CREATE INDEX risk_assessment_by_session
    ON risk_assessment (organization_id, session_id)
    WHERE session_id IS NOT NULL;
CREATE INDEX risk_assessment_by_age
    ON risk_assessment USING brin (created_at);
CREATE INDEX risk_observation_by_assessment
    ON risk_observation (organization_id, assessment_id);
