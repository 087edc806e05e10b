-- One page, upwards from the cursor :cursor.
@parameters organization_id, cursor, limit
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id AND id > :cursor::text
 ORDER BY id
 LIMIT :limit::integer
