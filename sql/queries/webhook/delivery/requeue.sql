-- Queues a delivery again. A node that is trying it now loses the lease, and
-- its result.
@parameters organization_id, webhook_endpoint_id, id, now
UPDATE webhook_delivery
   SET
@delivery_renewed
 WHERE organization_id = :organization_id AND id = :id
   AND webhook_endpoint_id = :webhook_endpoint_id
