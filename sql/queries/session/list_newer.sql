-- One page, upwards from the cursor $2.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1 AND id > $2::text
 ORDER BY id
 LIMIT $3::integer
