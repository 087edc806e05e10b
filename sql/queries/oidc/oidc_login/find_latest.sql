-- The latest login of a browser at a client.
@parameters organization_id, client_id, browser_digest, type
SELECT
@oidc_login_columns
  FROM oidc_login l
 WHERE l.organization_id = :organization_id AND l.client_id = :client_id
   AND l.browser_digest = :browser_digest::bytea AND l.type = :type
 ORDER BY l.id DESC
 LIMIT 1
