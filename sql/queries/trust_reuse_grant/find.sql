SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = $1 AND g.id = $2
