-- Credentials that ended long ago are removed by when that was.
CREATE INDEX credential_ended
    ON credential (organization_id, (least(expires_at, revoked_at)));
