-- Past sessions led through another workflow, law or risk policy.
CREATE TABLE workflow_replay (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    workflow_id     idv_id NOT NULL,
    version_id      idv_id,
    draft_id        idv_id,
    compiled        json NOT NULL,
    law             text NOT NULL CHECK (law IN ('kept', 'current')),
    risk            json,
    since_at        bigint NOT NULL,
    until_at        bigint NOT NULL CHECK (until_at > since_at),
    position        text COLLATE "C" NOT NULL,
    last_position   text COLLATE "C" NOT NULL,
    status          text NOT NULL DEFAULT 'queued'
        CHECK (status IN ('queued', 'running', 'done', 'stopped', 'failed')),
    error           text CHECK ((error IS NOT NULL) = (status = 'failed')),
    tally           json NOT NULL DEFAULT '{}',
    attempts        integer NOT NULL DEFAULT 0,
    leased_by       text,
    leased_until    bigint,
    created_by      text NOT NULL,
    created_at      bigint NOT NULL,
    updated_at      bigint NOT NULL,
    ended_at        bigint CHECK ((ended_at IS NULL)
                                  = (status IN ('queued', 'running'))),
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 50);
CREATE INDEX workflow_replay_due
    ON workflow_replay (updated_at) WHERE ended_at IS NULL;
CREATE INDEX workflow_replay_ended
    ON workflow_replay (ended_at) WHERE ended_at IS NOT NULL;
COMMENT ON TABLE workflow_replay IS
    'Jobs of the simulator; they change nothing but their own rows.';
COMMENT ON COLUMN workflow_replay.compiled IS
    'The workflow as it was when the job was ordered';
COMMENT ON COLUMN workflow_replay.law IS
    'kept: the law that each session was decided by; current: that of the day '
    'of the order';
COMMENT ON COLUMN workflow_replay.risk IS
    'Another risk policy; NULL: checks came to what they came to';
COMMENT ON COLUMN workflow_replay.position IS
    'The id of the last session that was looked at, or what stands before all';
COMMENT ON COLUMN workflow_replay.tally IS
    'What was counted up to the position (store/workflow_replay.h)';
COMMENT ON COLUMN workflow_replay.attempts IS
    'Of the batch behind the position';

CREATE TABLE workflow_replay_session (
    organization_id idv_id NOT NULL,
    replay_id       idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    result          text NOT NULL CHECK (result IN ('changed',
                                                    'undetermined')),
    before          text NOT NULL,
    after           text,
    reason          text,
    PRIMARY KEY (organization_id, replay_id, session_id)
);
CREATE INDEX workflow_replay_session_by_result
    ON workflow_replay_session (organization_id, replay_id, result, session_id);
COMMENT ON TABLE workflow_replay_session IS
    'Sessions that would have ended otherwise, or perhaps; the first of a job.';
