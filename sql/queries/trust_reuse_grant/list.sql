-- One page, newest first; $2 is the cursor or NULL.
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = $1 AND g.id < coalesce($2::text, 'trg_~')
 ORDER BY g.id DESC
 LIMIT $3::integer
