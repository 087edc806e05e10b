-- Creations of one organization's drafts and scenarios wait for each other, so
-- that their number is exact.
@parameters organization_id
SELECT id
  FROM organization
 WHERE id = :organization_id
   FOR NO KEY UPDATE
