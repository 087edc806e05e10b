-- A version beside the live one of a workflow: a job of the simulator that takes
-- sessions as they end.
ALTER TABLE workflow_replay
    ADD COLUMN is_shadow boolean NOT NULL DEFAULT false,
    ADD COLUMN compiled_sha256 bytea;
UPDATE workflow_replay
   SET compiled_sha256 = sha256(convert_to(compiled::text, 'UTF8'));
COMMENT ON COLUMN workflow_replay.is_shadow IS
    'Takes the sessions that end between since_at and until_at, from '
    'workflow_shadow_session; else those that were created then';
COMMENT ON COLUMN workflow_replay.compiled_sha256 IS
    'Of the text of compiled, by which it is known; NULL: an earlier release '
    'has written the row';
COMMENT ON COLUMN workflow_replay.leased_until IS
    'Of a shadow that nobody has: for ever, so that modules of an earlier release, '
    'to which it would be a job without sessions, leave it alone';
COMMENT ON COLUMN workflow_replay.position IS
    'The id of the last session that was looked at, or what stands before all; '
    'a shadow has no other';

-- One of a workflow at a time. Whoever ends a session looks here whether its
-- workflow has one.
CREATE UNIQUE INDEX workflow_replay_shadow
    ON workflow_replay (organization_id, workflow_id)
    WHERE is_shadow AND ended_at IS NULL;
CREATE INDEX workflow_replay_shadows
    ON workflow_replay (organization_id, workflow_id, id) WHERE is_shadow;

CREATE TABLE workflow_shadow_session (
    organization_id idv_id NOT NULL,
    replay_id       idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    status          text NOT NULL,
    PRIMARY KEY (organization_id, replay_id, session_id)
);
COMMENT ON TABLE workflow_shadow_session IS
    'Sessions that have ended and wait for the shadow of their workflow, with '
    'how they have ended; written in the transaction of the end.';
