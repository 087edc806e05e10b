-- One page, upwards from the cursor :cursor.
@parameters organization_id, cursor, limit
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.organization_id = :organization_id AND g.id > :cursor::text
 ORDER BY g.id
 LIMIT :limit::integer
