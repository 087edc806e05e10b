       l.id, l.organization_id, l.client_id, l.type, l.redirect_uri, l.state,
       l.nonce, l.challenge, l.scope, l.session_id, l.code_digest IS NOT NULL
