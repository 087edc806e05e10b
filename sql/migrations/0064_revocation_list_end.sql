-- Until when revocation lists hold that an operator imported, so that somebody is
-- told before.
ALTER TABLE revocation_list
    ADD COLUMN ends_at bigint,
    ADD COLUMN issuer text;
COMMENT ON COLUMN revocation_list.ends_at IS
    'Its next update, read from a list that was imported; NULL: not yet, which '
    'the watchdog does, or fetched';
COMMENT ON COLUMN revocation_list.issuer IS
    'The name of its issuer, read with ends_at; NULL: it has none that is text';
CREATE INDEX revocation_list_undated ON revocation_list (address_digest)
    WHERE ends_at IS NULL AND address LIKE 'csca:%';
CREATE INDEX revocation_list_by_end ON revocation_list (ends_at)
    WHERE ends_at IS NOT NULL;
