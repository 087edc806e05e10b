-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
