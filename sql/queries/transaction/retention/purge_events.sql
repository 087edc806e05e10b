-- Up to :limit events from before :cutoff, unless a delivery of theirs still
-- waits, for which each event is asked alone.
@parameters cutoff, limit
DELETE FROM event
 WHERE ctid = ANY (ARRAY(
   SELECT e.ctid
     FROM event e
    WHERE e.created_at < :cutoff::bigint
      AND (SELECT d.id
             FROM webhook_delivery d
            WHERE d.organization_id = e.organization_id
              AND d.status = 'pending'
              AND
@delivery_of_event
            LIMIT 1) IS NULL
    LIMIT :limit::integer
      FOR UPDATE OF e SKIP LOCKED))
