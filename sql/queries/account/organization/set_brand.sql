-- NULL removes the brand.
@parameters id, brand, updated_at
UPDATE organization
   SET brand = :brand::jsonb,
       updated_at = :updated_at::bigint
 WHERE id = :id
RETURNING name, brand::text, coalesce(brand ->> 'name', name)
