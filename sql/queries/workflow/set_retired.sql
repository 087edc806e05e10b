-- One that is retired already stays so since then. NULL lets sessions begin
-- again. No row when the workflow is not in scope.
@parameters
    organization_id, id,
    application_id,  -- of the key; NULL: all
    retired_at, now
UPDATE workflow w
   SET retired_at = CASE WHEN :retired_at::bigint IS NULL THEN NULL
                         ELSE coalesce(w.retired_at, :retired_at::bigint) END,
       updated_at = :now::bigint
 WHERE w.organization_id = :organization_id AND w.id = :id
   AND
@workflow_in_scope
RETURNING w.id, w.retired_at
