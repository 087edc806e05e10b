-- @concurrently credential_ended
-- Credentials that ended long ago are removed by when that was.
CREATE INDEX CONCURRENTLY IF NOT EXISTS credential_ended
    ON credential (organization_id, (least(expires_at, revoked_at)));
