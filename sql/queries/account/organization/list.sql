-- For the operator: all organizations, oldest first.
@parameters
    cursor,  -- only later ones; NULL: all
    limit
SELECT
@organization_columns
  FROM organization
 WHERE id > coalesce(:cursor::text, '')
 ORDER BY id
 LIMIT :limit::integer
