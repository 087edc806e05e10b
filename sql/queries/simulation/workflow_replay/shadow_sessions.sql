-- The next :batch sessions that wait for a shadow, with their stored data. For
-- a session that has changed since its end, only the page's part is returned.
@parameters
    organization_id, workflow_id,
    id,
    batch,
    assessments  -- flag: with them
WITH page AS MATERIALIZED (
  SELECT session_id AS id, :workflow_id::text AS workflow_id, status
    FROM workflow_shadow_session
   WHERE organization_id = :organization_id::text AND replay_id = :id::text
   ORDER BY session_id
   LIMIT :batch::integer
)
@replayed_sessions
