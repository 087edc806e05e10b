-- Up to :limit records of deliveries before :cutoff, except for pending ones.
@parameters cutoff, limit
DELETE FROM webhook_delivery
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM webhook_delivery
    WHERE created_at < :cutoff::bigint AND status <> 'pending'
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
