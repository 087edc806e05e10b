-- Creations of one organization's endpoints wait for each other, so that their
-- number is exact.
@parameters organization_id
SELECT id
  FROM organization
 WHERE id = :organization_id
   FOR NO KEY UPDATE
