-- No row if the organization has no such workflow, or it is retired.
@parameters
    organization_id, id, workflow_id, name, redirect_uris, authentication,
    secret_digest,  -- NULL: none
    jwks,           -- NULL: none
    algorithm, scope, now
INSERT INTO oidc_client AS c (organization_id, id, workflow_id, name,
                              redirect_uris, authentication, secret_digest,
                              jwks, algorithm, scope, created_at,
                              updated_at)
SELECT w.organization_id, :id, w.id, :name, :redirect_uris::text[],
       :authentication, :secret_digest::bytea, :jwks::text, :algorithm,
       :scope, :now::bigint, :now::bigint
  FROM workflow w
 WHERE w.organization_id = :organization_id AND w.id = :workflow_id
   AND w.retired_at IS NULL
RETURNING
@oidc_client_columns
