@parameters organization_id, id, sealed_secret, updated_at
UPDATE webhook_endpoint
   SET sealed_secret = :sealed_secret::bytea, updated_at = :updated_at::bigint
 WHERE organization_id = :organization_id AND id = :id
