-- The next :batch sessions that wait for a shadow, with what is kept of them. Of
-- one that is not any more how it ended then, there is but the page's part.
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
