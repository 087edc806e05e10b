-- Lets another request of the same browser continue a login that has no code
-- yet.
@parameters
    organization_id, id, redirect_uri,
    state,  -- NULL: none
    nonce,  -- NULL: none
    challenge, scope
UPDATE oidc_login
   SET redirect_uri = :redirect_uri, state = :state::text,
       nonce = :nonce::text, challenge = :challenge, scope = :scope
 WHERE organization_id = :organization_id AND id = :id AND code_digest IS NULL
