-- What still waits for a shadow that has ended, and that its last batch did not
-- come to; retention/purge_shadow_sessions.sql would find it later.
@parameters organization_id, id
DELETE FROM workflow_shadow_session q
 USING workflow_replay r
 WHERE r.organization_id = :organization_id AND r.id = :id
   AND r.ended_at IS NOT NULL
   AND q.organization_id = r.organization_id AND q.replay_id = r.id
