@parameters id
SELECT name, brand::text
  FROM organization
 WHERE id = :id
