-- The challenge of a session: four movements, each told after the pictures of the
-- former have arrived.
CREATE TABLE liveness_challenge (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    id              idv_id NOT NULL,
    number          bigint NOT NULL,
    assisted        boolean NOT NULL,
    created_at      bigint NOT NULL,
    arrived_at      bigint[] NOT NULL,
    passed          boolean NOT NULL,
    PRIMARY KEY (organization_id, session_id)
);
COMMENT ON TABLE liveness_challenge IS
    'The last challenge of each session that is open, deleted with its evidence.';
COMMENT ON COLUMN liveness_challenge.number IS
    'Stands for the movements (methods/face/liveness_challenge.h)';
COMMENT ON COLUMN liveness_challenge.assisted IS
    'Asked for by somebody who cannot move so: a person decides';
COMMENT ON COLUMN liveness_challenge.arrived_at IS
    'When the pictures of each step came, Unix milliseconds';
COMMENT ON COLUMN liveness_challenge.passed IS
    'Its pictures are those of a live person';
