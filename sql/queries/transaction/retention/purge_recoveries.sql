-- Up to :limit recoveries that ended before :cutoff.
@parameters cutoff, limit
DELETE FROM webhook_recovery
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM webhook_recovery
    WHERE finished_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
