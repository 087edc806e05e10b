-- What a key is for, and when it was used: what one needs to know of a key
-- before one revokes it. Uses stand apart from the keys, whose rows every
-- request compares.
ALTER TABLE api_key ADD COLUMN label text;
COMMENT ON COLUMN api_key.label IS
    'What the key is for, as its maker wrote it; NULL: nothing';

CREATE TABLE api_key_use (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    used_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70);
COMMENT ON TABLE api_key_use IS
    'When keys were last used, to the hour; no row: never.';
