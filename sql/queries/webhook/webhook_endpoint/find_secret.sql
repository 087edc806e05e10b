@parameters organization_id, id
SELECT sealed_secret
  FROM webhook_endpoint
 WHERE organization_id = :organization_id AND id = :id
