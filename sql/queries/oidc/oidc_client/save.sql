-- No row if the client, or its new workflow, does not exist.
@parameters
    organization_id, id, workflow_id, name, redirect_uris,
    secret_digest,  -- NULL: none
    jwks,           -- NULL: none
    algorithm, now
UPDATE oidc_client c
   SET workflow_id = :workflow_id, name = :name,
       redirect_uris = :redirect_uris::text[],
       secret_digest = :secret_digest::bytea, jwks = :jwks::text,
       algorithm = :algorithm, updated_at = :now::bigint
 WHERE c.organization_id = :organization_id AND c.id = :id
   AND (c.workflow_id = :workflow_id
        OR EXISTS (SELECT FROM workflow w
                    WHERE w.organization_id = c.organization_id
                      AND w.id = :workflow_id AND w.retired_at IS NULL))
RETURNING
@oidc_client_columns
