-- @concurrently verification_session_by_workflow
-- Lists of the sessions of one workflow.
CREATE INDEX CONCURRENTLY IF NOT EXISTS verification_session_by_workflow
    ON verification_session (organization_id, workflow_id, id);
