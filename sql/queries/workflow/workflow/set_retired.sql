-- If it is retired already, the original time remains; its shadow stops. NULL
-- allows sessions again. No row if the workflow is not in scope.
@parameters
    organization_id, id,
    application_id,  -- of the key; NULL: all
    retired_at, now
WITH changed AS (
  UPDATE workflow w
     SET retired_at = CASE WHEN :retired_at::bigint IS NULL THEN NULL
                           ELSE coalesce(w.retired_at, :retired_at::bigint) END,
         updated_at = :now::bigint
   WHERE w.organization_id = :organization_id AND w.id = :id
     AND
@workflow_in_scope
  RETURNING w.id, w.retired_at
), job AS (
  UPDATE workflow_replay r
     SET status = 'stopped', updated_at = :now::bigint, ended_at = :now::bigint,
         leased_by = NULL, leased_until = NULL
    FROM changed
   WHERE r.organization_id = :organization_id AND r.workflow_id = changed.id
     AND r.is_shadow AND r.ended_at IS NULL AND changed.retired_at IS NOT NULL
  RETURNING r.organization_id, r.id
), waited AS (
@shadow_waited
)
SELECT id, retired_at FROM changed
