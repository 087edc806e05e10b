-- An organization that is to do nothing any more.
ALTER TABLE organization ADD COLUMN disabled_at bigint;
COMMENT ON COLUMN organization.disabled_at IS
    'Since when its keys and its persons are let in no more; NULL: they are';
