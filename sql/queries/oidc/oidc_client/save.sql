-- No row if the client, or its new workflow, does not exist.
@parameters
    organization_id, id, workflow_id, name, redirect_uris,
    secret_digest,          -- NULL: none
    former_secret_digest,   -- NULL: none
    former_secret_ends_at,  -- NULL: none
    jwks,                   -- NULL: none
    algorithm, scope, now
UPDATE oidc_client c
   SET workflow_id = :workflow_id, name = :name,
       redirect_uris = :redirect_uris::text[],
       secret_digest = :secret_digest::bytea,
       former_secret_digest = :former_secret_digest::bytea,
       former_secret_ends_at = :former_secret_ends_at::bigint, jwks = :jwks::text,
       algorithm = :algorithm, scope = :scope, updated_at = :now::bigint
 WHERE c.organization_id = :organization_id AND c.id = :id
   AND (c.workflow_id = :workflow_id
        OR EXISTS (SELECT FROM workflow w
                    WHERE w.organization_id = c.organization_id
                      AND w.id = :workflow_id AND w.retired_at IS NULL))
RETURNING
@oidc_client_columns
