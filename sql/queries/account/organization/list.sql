-- For the operator: all there are, oldest first.
@parameters
    cursor,  -- only later ones; NULL: all
    limit
SELECT
@organization_columns
  FROM organization
 WHERE id > coalesce(:cursor::text, '')
 ORDER BY id
 LIMIT :limit::integer
