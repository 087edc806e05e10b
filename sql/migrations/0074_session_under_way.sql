-- @concurrently verification_session_under_way
-- The creation of a live session counts those that are open and not counted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS verification_session_under_way
    ON verification_session (organization_id, created_at)
 WHERE livemode AND completed_at IS NULL
   AND status NOT IN ('verified', 'failed', 'cancelled', 'expired');
