@parameters organization_id, client_id, id, browser_digest
SELECT
@oidc_login_columns
  FROM oidc_login l
 WHERE l.organization_id = :organization_id AND l.client_id = :client_id
   AND l.id = :id AND l.browser_digest = :browser_digest::bytea
