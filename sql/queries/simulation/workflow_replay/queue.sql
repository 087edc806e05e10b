-- Queues an ended session for the shadow of its workflow, in the transaction of
-- its end. Does nothing if no shadow is running.
@parameters organization_id, session_id, workflow_id, status, now
INSERT INTO workflow_shadow_session (organization_id, replay_id, session_id,
                                     status)
SELECT r.organization_id, r.id, :session_id::text, :status::text
  FROM workflow_replay r
 WHERE r.organization_id = :organization_id::text
   AND r.workflow_id = :workflow_id::text AND r.is_shadow
   AND r.ended_at IS NULL AND r.until_at > :now::bigint
    ON CONFLICT DO NOTHING
