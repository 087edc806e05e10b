-- If it is disabled already, the original time remains. NULL enables it again.
@parameters id, disabled_at, now
UPDATE organization
   SET disabled_at = CASE WHEN :disabled_at::bigint IS NULL THEN NULL
                          ELSE coalesce(disabled_at, :disabled_at::bigint) END,
       updated_at = :now::bigint
 WHERE id = :id
RETURNING
@organization_columns
