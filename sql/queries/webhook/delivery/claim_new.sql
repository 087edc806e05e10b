-- Leases deliveries that were never tried. Their endpoints are found by a skip
-- scan, and each gets its share.
@parameters
    leased_until,
    claimer,         -- the process that claims
    limit,           -- maximum of deliveries
    room_endpoints,  -- endpoints whose room is not the default ...
    rooms,           -- ... and the room of each
    default_room,    -- deliveries of one endpoint that may be under way at once
    after_endpoint,  -- begin after this endpoint
    now,
    node,            -- prefix of the names of all claimers of this node
    lost_lease       -- end of a lease whose claim was lost
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
   LIMIT :limit::integer
),
@delivery_claimed
