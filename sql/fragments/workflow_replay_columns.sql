-- The columns of a simulation job in the order of
-- store/simulation/workflow_replay.c.
       r.organization_id, r.id, r.workflow_id, r.version_id, r.draft_id, r.law,
       r.risk, r.since_at, r.until_at, r.position, r.last_position, r.status,
       r.error, r.tally, r.created_by, r.created_at, r.updated_at, r.ended_at,
       r.is_shadow, encode(r.compiled_sha256, 'hex')
