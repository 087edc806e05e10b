-- Up to $2 records of deliveries from before $1. What still waits stays.
DELETE FROM webhook_delivery
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM webhook_delivery
    WHERE created_at < $1::bigint AND status <> 'pending'
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
