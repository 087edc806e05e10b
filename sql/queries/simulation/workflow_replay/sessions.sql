-- The next :batch sessions of an organization after :position, of any workflow,
-- so that each batch is small; those that ended in the workflow come with their
-- stored data.
@parameters
    organization_id, workflow_id,
    position, last_position,  -- ids after the first and before the second
    batch,
    assessments  -- flag: with them
WITH page AS MATERIALIZED (
  SELECT id, workflow_id, NULL::text AS status
    FROM verification_session
   WHERE organization_id = :organization_id::text
     AND id > :position::text AND id < :last_position::text
   ORDER BY id
   LIMIT :batch::integer
)
@replayed_sessions
