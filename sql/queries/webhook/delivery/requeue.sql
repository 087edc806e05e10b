-- Queues a delivery anew. Whoever is trying it at this moment loses the lease,
-- and the result with it.
@parameters organization_id, webhook_endpoint_id, id, now
UPDATE webhook_delivery
   SET
@delivery_renewed
 WHERE organization_id = :organization_id AND id = :id
   AND webhook_endpoint_id = :webhook_endpoint_id
