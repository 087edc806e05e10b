-- One page, newest first; $2 is the cursor or NULL.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1 AND id < coalesce($2::text, 'vks_~')
 ORDER BY id DESC
 LIMIT $3::integer
