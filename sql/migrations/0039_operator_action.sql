-- What operators, verifyctl and keys did to the service: a chain for each
-- organization, whose entries are never changed.
CREATE TABLE operator_action (
    organization_id idv_id NOT NULL,
    sequence        bigint NOT NULL CHECK (sequence > 0),
    id              idv_id NOT NULL,
    entry           text NOT NULL,
    hash            bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (organization_id, sequence),
    UNIQUE (organization_id, id)
);
COMMENT ON TABLE operator_action IS
    'Administrative acts and looks at evidence, in order, chained by hashes.';
COMMENT ON COLUMN operator_action.organization_id IS
    '*: of the whole server';
COMMENT ON COLUMN operator_action.entry IS
    'What was done, by whom and how it was allowed: a JSON object';
COMMENT ON COLUMN operator_action.hash IS
    'SHA-256 of the hash before (of none for the first) and the entry in UTF-8';

CREATE TABLE operator_action_head (
    organization_id idv_id PRIMARY KEY,
    sequence        bigint NOT NULL,
    hash            bytea NOT NULL CHECK (length(hash) = 32)
);
COMMENT ON TABLE operator_action_head IS
    'The last entry of each chain; its row orders who appends.';

-- The owner of the tables could still take this away; the hashes tell.
CREATE FUNCTION operator_action_is_kept() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'operator_action is append-only';
END
$$;
CREATE TRIGGER operator_action_is_kept
    BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_action
    FOR EACH STATEMENT EXECUTE FUNCTION operator_action_is_kept();
