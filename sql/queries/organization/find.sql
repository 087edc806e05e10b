SELECT
@organization_columns
  FROM organization
 WHERE id = $1
