-- Queues a delivery anew, as if it had never been tried. Whoever is trying it
-- at this moment loses the lease, and the result with it.
UPDATE webhook_delivery
   SET status = 'pending', attempt = 0, next_attempt_at = $4::bigint,
       leased_by = NULL, leased_until = NULL, request_url = NULL,
       request_headers = NULL, response = NULL, last_error = NULL,
       delivered_at = NULL, updated_at = $4::bigint
 WHERE organization_id = $1 AND id = $3 AND webhook_endpoint_id = $2
