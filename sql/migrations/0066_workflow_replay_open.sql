-- @concurrently workflow_replay_open
-- A turn of the simulator looks for jobs of the past, and for shadows whose time is
-- over, without reading all shadows that are open.
CREATE INDEX CONCURRENTLY IF NOT EXISTS workflow_replay_open
    ON workflow_replay (is_shadow, until_at) WHERE ended_at IS NULL;
