-- Logins that the client has begun end with it.
@parameters organization_id, id
WITH login AS (
    DELETE FROM oidc_login
     WHERE organization_id = :organization_id AND client_id = :id
)
DELETE FROM oidc_client
 WHERE organization_id = :organization_id AND id = :id
