@parameters id
SELECT name, brand::text, coalesce(brand ->> 'name', name)
  FROM organization
 WHERE id = :id
