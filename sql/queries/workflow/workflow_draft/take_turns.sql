-- Serializes creations of one organization's drafts and scenarios, so that
-- their number is exact.
@parameters organization_id
SELECT id
  FROM organization
 WHERE id = :organization_id
   FOR NO KEY UPDATE
