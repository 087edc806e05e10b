@parameters organization_id
SELECT
@api_key_columns
  FROM api_key
 WHERE organization_id = :organization_id
 ORDER BY id
