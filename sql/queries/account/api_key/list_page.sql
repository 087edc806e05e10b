-- One page, newest first.
@reversed list_page_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@api_key_columns
  FROM api_key k
 WHERE k.organization_id = :organization_id
   AND k.id >= :lower::text AND k.id < :upper::text
 ORDER BY k.id DESC
 LIMIT :limit::integer
