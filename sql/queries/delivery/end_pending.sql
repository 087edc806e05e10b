-- Ends up to $4 pending deliveries, of the types $3, of an endpoint that is
-- about to go; $5 is their last error. What an attempt is being recorded for
-- at this moment is passed over: without its endpoint it ends when it is due.
UPDATE webhook_delivery
   SET status = 'failed', next_attempt_at = NULL,
       leased_by = NULL, leased_until = NULL,
       last_error = $5::json, updated_at = $6::bigint
 WHERE ctid = ANY (ARRAY(
   SELECT d.row
     FROM unnest($3::text[]) AS t (type)
    CROSS JOIN LATERAL (
      SELECT ctid AS row
        FROM webhook_delivery
       WHERE organization_id = $1 AND webhook_endpoint_id = $2
         AND event_type = t.type AND status = 'pending'
       ORDER BY id
       LIMIT $4::integer
         FOR UPDATE SKIP LOCKED) d
    LIMIT $4::integer))
