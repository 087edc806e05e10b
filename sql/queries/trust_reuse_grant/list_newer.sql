-- One page, upwards from the cursor $2.
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = $1 AND g.id > $2::text
 ORDER BY g.id
 LIMIT $3::integer
