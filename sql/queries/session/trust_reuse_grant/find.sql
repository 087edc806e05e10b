@parameters organization_id, id
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = :organization_id AND g.id = :id
