-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    application_id,  -- of the key; NULL: all
    lower, upper,    -- lower <= id < upper
    limit
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
 WHERE organization_id = :organization_id
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
