-- The latest :limit logins of a browser that a session satisfied.
@parameters organization_id, client_id, browser_digest, session_id, limit
SELECT l.id
  FROM oidc_login l
 WHERE l.organization_id = :organization_id AND l.session_id = :session_id
   AND l.client_id = :client_id AND l.browser_digest = :browser_digest::bytea
 ORDER BY l.id DESC
 LIMIT :limit::integer
