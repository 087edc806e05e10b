-- One page, newest first.
@reversed list_page_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT id, name, created_at, retired_at
  FROM application
 WHERE organization_id = :organization_id
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
