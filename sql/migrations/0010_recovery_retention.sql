-- Recoveries that have ended are removed by when that was.
CREATE INDEX webhook_recovery_finished
    ON webhook_recovery (finished_at) WHERE finished_at IS NOT NULL;
