-- One page, newest first; :cursor is the cursor or NULL.
@parameters organization_id, cursor, limit
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id
   AND id < coalesce(:cursor::text, 'vks_~')
 ORDER BY id DESC
 LIMIT :limit::integer
