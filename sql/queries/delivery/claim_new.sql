-- Leases deliveries that were never tried. The endpoints that have some are
-- found by a skip scan, and each gets its share.
--
-- $1 end of the lease, $2 claimer, $3 deliveries at most, $4 endpoints with
-- another room than the default and $5 that room, $6 the default room,
-- $7 the endpoint after which to begin, $8 now, $9 node, $10 a lost lease.
WITH RECURSIVE endpoint AS (
  (SELECT webhook_endpoint_id AS id
     FROM webhook_delivery
    WHERE status = 'pending' AND attempt = 0
    ORDER BY webhook_endpoint_id
    LIMIT 1)
  UNION ALL
  SELECT (SELECT d.webhook_endpoint_id
            FROM webhook_delivery d
           WHERE d.status = 'pending' AND d.attempt = 0
             AND d.webhook_endpoint_id > endpoint.id
           ORDER BY d.webhook_endpoint_id
           LIMIT 1)
    FROM endpoint
   WHERE endpoint.id IS NOT NULL
),
@delivery_share
chosen AS MATERIALIZED (
  SELECT c.row
    FROM share s
   CROSS JOIN LATERAL (
     SELECT d.ctid AS row
       FROM webhook_delivery d
      WHERE d.webhook_endpoint_id = s.id
        AND d.status = 'pending' AND d.attempt = 0
@delivery_unleased
      ORDER BY d.id
      LIMIT s.room
        FOR UPDATE SKIP LOCKED) c
   LIMIT $3::integer
),
@delivery_claimed
