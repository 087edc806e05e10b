-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@oidc_client_columns
  FROM oidc_client c
 WHERE c.organization_id = :organization_id
   AND c.id >= :lower::text AND c.id < :upper::text
 ORDER BY c.id DESC
 LIMIT :limit::integer
