UPDATE webhook_endpoint
   SET sealed_secret = $3::bytea, updated_at = $4::bigint
 WHERE organization_id = $1 AND id = $2
