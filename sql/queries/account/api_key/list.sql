@parameters organization_id
SELECT
@api_key_columns
  FROM api_key k
 WHERE k.organization_id = :organization_id
 ORDER BY k.id
