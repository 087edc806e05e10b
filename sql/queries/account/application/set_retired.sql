-- Like workflow/set_retired.
@parameters organization_id, id, retired_at
UPDATE application
   SET retired_at = CASE WHEN :retired_at::bigint IS NULL THEN NULL
                         ELSE coalesce(retired_at, :retired_at::bigint) END
 WHERE organization_id = :organization_id AND id = :id
RETURNING id, name, created_at, retired_at
