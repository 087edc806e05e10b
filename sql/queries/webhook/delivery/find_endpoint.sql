-- The endpoint of a delivery.
@parameters organization_id, id
SELECT webhook_endpoint_id
  FROM webhook_delivery
 WHERE organization_id = :organization_id AND id = :id
