-- @concurrently idempotency_record_by_session
CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_record_by_session
    ON idempotency_record (organization_id, session_id)
 WHERE session_id IS NOT NULL;
