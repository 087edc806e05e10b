-- Up to :limit events from before :cutoff, unless a delivery of theirs still
-- waits. The ids of an event's deliveries begin with the time of its own; asked
-- for each event alone, they are a few neighbours in the index.
@parameters cutoff, limit
DELETE FROM event
 WHERE ctid = ANY (ARRAY(
   SELECT e.ctid
     FROM event e
    WHERE e.created_at < :cutoff::bigint
      AND (SELECT d.id
             FROM webhook_delivery d
            WHERE d.organization_id = e.organization_id
              AND d.id > 'whd_' || substr(e.id, 5, 10)
              AND d.id < 'whd_' || substr(e.id, 5, 10) || '~'
              AND d.event_id = e.id AND d.status = 'pending'
            LIMIT 1) IS NULL
    LIMIT :limit::integer
      FOR UPDATE OF e SKIP LOCKED))
