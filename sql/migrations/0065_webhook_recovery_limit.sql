-- A recovery ends when it has queued as many deliveries as one may, and tells how far
-- it has come; those of one endpoint are listed.
ALTER TABLE webhook_recovery
    ADD COLUMN examined_until bigint,
    DROP CONSTRAINT webhook_recovery_status_check,
    ADD CONSTRAINT webhook_recovery_status_check
        CHECK (status IN ('running', 'finished', 'limited', 'cancelled'));
COMMENT ON COLUMN webhook_recovery.examined_until IS
    'Time of the last event that was looked at; NULL: none was';
CREATE INDEX webhook_recovery_by_endpoint
    ON webhook_recovery (organization_id, webhook_endpoint_id, id);
