-- Ends up to :limit pending deliveries of an endpoint that is about to be
-- removed. A delivery whose attempt is being recorded now is skipped: without
-- its endpoint it ends when it is due.
@parameters
    organization_id,
    webhook_endpoint_id,
    event_types,  -- all existing ones: each is a range of the index
    limit,
    last_error,
    now
UPDATE webhook_delivery
   SET status = 'failed', next_attempt_at = NULL,
       leased_by = NULL, leased_until = NULL,
       last_error = :last_error::json, updated_at = :now::bigint
 WHERE ctid = ANY (ARRAY(
   SELECT d.row
     FROM unnest(:event_types::text[]) AS t (type)
    CROSS JOIN LATERAL (
      SELECT ctid AS row
        FROM webhook_delivery
       WHERE organization_id = :organization_id
         AND webhook_endpoint_id = :webhook_endpoint_id
         AND event_type = t.type AND status = 'pending'
       ORDER BY id
       LIMIT :limit::integer
         FOR UPDATE SKIP LOCKED) d
    LIMIT :limit::integer))
