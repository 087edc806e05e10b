-- Queues a delivery anew, as if it had never been tried. Whoever is trying it
-- at this moment loses the lease, and the result with it.
@parameters organization_id, webhook_endpoint_id, id, now
UPDATE webhook_delivery
   SET status = 'pending', attempt = 0, next_attempt_at = :now::bigint,
       leased_by = NULL, leased_until = NULL, request_url = NULL,
       request_headers = NULL, response = NULL, last_error = NULL,
       delivered_at = NULL, updated_at = :now::bigint
 WHERE organization_id = :organization_id AND id = :id
   AND webhook_endpoint_id = :webhook_endpoint_id
