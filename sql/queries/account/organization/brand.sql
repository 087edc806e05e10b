@parameters organization_id
SELECT name, brand::text, coalesce(brand ->> 'name', name),
       EXISTS (SELECT
                 FROM passkey p
                WHERE p.organization_id = :organization_id)
  FROM organization
 WHERE id = :organization_id
