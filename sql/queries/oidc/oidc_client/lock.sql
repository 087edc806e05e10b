-- Locks a client for a change in the same transaction.
@parameters organization_id, id
SELECT
@oidc_client_columns
  FROM oidc_client c
 WHERE c.organization_id = :organization_id AND c.id = :id
   FOR NO KEY UPDATE OF c
