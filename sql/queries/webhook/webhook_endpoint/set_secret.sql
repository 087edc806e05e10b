-- Replaces the secret, and ends the use of a former one that still signed.
@parameters organization_id, id, sealed_secret, updated_at
WITH former AS (
  DELETE FROM webhook_overlap
   WHERE organization_id = :organization_id AND webhook_endpoint_id = :id
)
UPDATE webhook_endpoint
   SET sealed_secret = :sealed_secret::bytea, updated_at = :updated_at::bigint
 WHERE organization_id = :organization_id AND id = :id
