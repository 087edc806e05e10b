-- Creations of one organization's endpoints wait for each other, so that their
-- number is exact.
SELECT id
  FROM organization
 WHERE id = $1
   FOR NO KEY UPDATE
