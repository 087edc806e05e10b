-- Nodes of this release find an idempotency key by its HMAC; older ones by its text.
ALTER TABLE server_node
    ADD COLUMN digests_idempotency_keys boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN server_node.digests_idempotency_keys IS
    'Whether the node finds idempotency records by the HMAC of their keys';
COMMENT ON COLUMN idempotency_record.key IS
    'HMAC of the key; the key itself while nodes of an older release are there';
-- The removal of sessions removes records, too (0062).
ALTER TABLE idempotency_record SET (autovacuum_vacuum_scale_factor = 0.01);
