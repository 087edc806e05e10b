-- One page, newest first; :cursor is the cursor or NULL.
@parameters organization_id, cursor, limit
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = :organization_id
   AND g.id < coalesce(:cursor::text, 'trg_~')
 ORDER BY g.id DESC
 LIMIT :limit::integer
