-- Whose endpoint it is, for an operator who has its id alone. Few exist, so no
-- index is kept for it.
@parameters id
SELECT organization_id
  FROM webhook_endpoint
 WHERE id = :id
