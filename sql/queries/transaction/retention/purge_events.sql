-- Up to :limit events before :cutoff, except for those with a pending delivery;
-- each event is checked separately.
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
