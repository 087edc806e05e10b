-- Removes the sessions that still wait for an ended shadow and were not in its
-- last batch; otherwise retention/purge_shadow_sessions.sql would find them
-- later.
@parameters organization_id, id
DELETE FROM workflow_shadow_session q
 USING workflow_replay r
 WHERE r.organization_id = :organization_id AND r.id = :id
   AND r.ended_at IS NOT NULL
   AND q.organization_id = r.organization_id AND q.replay_id = r.id
