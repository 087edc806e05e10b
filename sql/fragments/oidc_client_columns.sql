       c.id, c.organization_id, c.workflow_id, c.name, c.redirect_uris,
       c.authentication, c.secret_digest, c.jwks, c.algorithm, c.created_at,
       c.updated_at, c.scope, c.former_secret_digest, c.former_secret_ends_at
