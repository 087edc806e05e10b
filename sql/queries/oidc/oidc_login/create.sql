@parameters
    organization_id, id, client_id, browser_digest, type, redirect_uri,
    state,  -- NULL: none
    nonce,  -- NULL: none
    challenge, scope,
    session_id,  -- NULL: none yet
    now
INSERT INTO oidc_login (organization_id, id, client_id, browser_digest, type,
                        redirect_uri, state, nonce, challenge, scope,
                        session_id, created_at)
VALUES (:organization_id, :id, :client_id, :browser_digest::bytea, :type,
        :redirect_uri, :state::text, :nonce::text, :challenge, :scope,
        :session_id::text, :now::bigint)
