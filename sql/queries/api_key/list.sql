SELECT
@api_key_columns
  FROM api_key
 WHERE organization_id = $1
 ORDER BY id
