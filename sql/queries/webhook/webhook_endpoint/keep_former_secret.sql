-- Call it after set_secret, which removes an earlier one.
@parameters organization_id, id, sealed_secret, ends_at
INSERT INTO webhook_overlap (organization_id, webhook_endpoint_id,
                             sealed_secret, ends_at)
VALUES (:organization_id, :id, :sealed_secret::bytea, :ends_at::bigint)
