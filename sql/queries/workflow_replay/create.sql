-- No row while two of the organization are under way. Of those that have ended,
-- the newest 50 stay.
@parameters
    organization_id, id, workflow_id, version_id, draft_id, compiled, law, risk,
    since_at, until_at,
    position, last_position,  -- the ids between which the sessions are
    created_by, created_at
WITH under_way AS MATERIALIZED (
  SELECT count(*) AS count
    FROM workflow_replay
   WHERE organization_id = :organization_id::text AND ended_at IS NULL
), old AS MATERIALIZED (
  SELECT id
    FROM workflow_replay
   WHERE organization_id = :organization_id::text AND ended_at IS NOT NULL
   ORDER BY id DESC
  OFFSET 50
), gone AS (
  DELETE FROM workflow_replay_session
   WHERE organization_id = :organization_id::text
     AND replay_id IN (SELECT id FROM old)
), forgotten AS (
  DELETE FROM workflow_replay
   WHERE organization_id = :organization_id::text
     AND id IN (SELECT id FROM old)
)
INSERT INTO workflow_replay AS r
       (organization_id, id, workflow_id, version_id, draft_id, compiled, law,
        risk, since_at, until_at, position, last_position, created_by,
        created_at, updated_at)
SELECT :organization_id::text, :id::text, :workflow_id::text,
       :version_id::text, :draft_id::text, :compiled::json, :law::text,
       :risk::json, :since_at::bigint, :until_at::bigint, :position::text,
       :last_position::text, :created_by::text, :created_at::bigint,
       :created_at::bigint
  FROM under_way
 WHERE count < 2
RETURNING
@workflow_replay_columns
