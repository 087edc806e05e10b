-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = :organization_id
   AND g.id >= :lower::text AND g.id < :upper::text
 ORDER BY g.id DESC
 LIMIT :limit::integer
