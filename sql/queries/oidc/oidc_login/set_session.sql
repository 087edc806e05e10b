@parameters organization_id, id, session_id
UPDATE oidc_login
   SET session_id = :session_id
 WHERE organization_id = :organization_id AND id = :id
