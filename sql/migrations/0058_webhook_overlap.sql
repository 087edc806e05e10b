-- A replaced signing secret that signs beside the new one for a while.
CREATE TABLE webhook_overlap (
    organization_id     idv_id NOT NULL,
    webhook_endpoint_id idv_id NOT NULL,
    sealed_secret       bytea NOT NULL,
    ends_at             bigint NOT NULL,
    PRIMARY KEY (organization_id, webhook_endpoint_id)
);
CREATE INDEX webhook_overlap_end ON webhook_overlap (ends_at);
COMMENT ON TABLE webhook_overlap IS
    'Signing secrets that were replaced, and still sign beside the new one';
COMMENT ON COLUMN webhook_overlap.ends_at IS
    'Until when; then the row is removed';
