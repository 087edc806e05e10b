-- One page, upwards from the cursor :cursor.
@parameters organization_id, application_id, cursor, limit
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
 WHERE organization_id = :organization_id
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
   AND id > :cursor::text
 ORDER BY id ASC
 LIMIT :limit::integer
