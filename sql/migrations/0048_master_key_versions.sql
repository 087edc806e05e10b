-- Versions of the master key: a row for each that has sealed something.
ALTER TABLE master_key
    DROP CONSTRAINT master_key_id_check,
    ADD CONSTRAINT master_key_id_check CHECK (id BETWEEN 1 AND 255),
    ADD COLUMN since bigint NOT NULL
        DEFAULT (EXTRACT(epoch FROM now()) * 1000)::bigint,
    ADD COLUMN dropped_at bigint;
COMMENT ON TABLE master_key IS
    'Versions of the master key that this database has been used with, the '
    'first by whoever connected first.';
COMMENT ON COLUMN master_key.id IS
    'The version, as the first byte of what it seals; the highest one seals';
COMMENT ON COLUMN master_key.since IS 'When it began to seal';
COMMENT ON COLUMN master_key.dropped_at IS
    'When it was seen to seal nothing any more; nothing can be sealed by it since';
