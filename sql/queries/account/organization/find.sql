@parameters id
SELECT
@organization_columns
  FROM organization
 WHERE id = :id
