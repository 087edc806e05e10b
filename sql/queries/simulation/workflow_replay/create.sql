-- No row if the organization has its maximum of running jobs of the kind, or
-- another shadow of the workflow is running. Of ended jobs the newest 50 are
-- kept.
@parameters
    organization_id, id, workflow_id, version_id, draft_id, compiled, law, risk,
    since_at, until_at,
    position, last_position,  -- the ids between which the sessions are
    created_by, created_at,
    is_shadow,
    most  -- that may be running
WITH under_way AS MATERIALIZED (
  SELECT count(*) AS count
    FROM workflow_replay
   WHERE organization_id = :organization_id::text AND ended_at IS NULL
     AND is_shadow = :is_shadow::boolean
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
), waited AS (
  DELETE FROM workflow_shadow_session
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
        created_at, updated_at, is_shadow, compiled_sha256, leased_until)
SELECT :organization_id::text, :id::text, :workflow_id::text,
       :version_id::text, :draft_id::text, :compiled::json, :law::text,
       :risk::json, :since_at::bigint, :until_at::bigint, :position::text,
       :last_position::text, :created_by::text, :created_at::bigint,
       :created_at::bigint, :is_shadow::boolean,
       sha256(convert_to(:compiled::text, 'UTF8')),
       CASE WHEN :is_shadow::boolean
@unleased_shadow
       END
  FROM under_way
 WHERE count < :most::integer
    ON CONFLICT DO NOTHING
RETURNING
@workflow_replay_columns
