-- One page, newest first; $3 is the cursor or NULL. Planned for each call, so
-- that the filters given choose the index.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1
   AND ($2::text IS NULL OR application_id = $2::text)
   AND id < coalesce($3::text, 'vks_~')
@session_filter
 ORDER BY id DESC
 LIMIT $4::integer
