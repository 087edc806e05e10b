-- Like claim_new, for deliveries whose next attempt is due.
@parameters
    leased_until, claimer, limit, room_endpoints, rooms, default_room,
    after_endpoint, now, node, lost_lease
WITH RECURSIVE endpoint AS (
  (SELECT webhook_endpoint_id AS id
     FROM webhook_delivery
    WHERE status = 'pending' AND attempt > 0
    ORDER BY webhook_endpoint_id
    LIMIT 1)
  UNION ALL
  SELECT (SELECT d.webhook_endpoint_id
            FROM webhook_delivery d
           WHERE d.status = 'pending' AND d.attempt > 0
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
        AND d.status = 'pending' AND d.attempt > 0
        AND d.next_attempt_at <= :now::bigint
@delivery_unleased
      ORDER BY d.next_attempt_at
      LIMIT s.room
        FOR UPDATE SKIP LOCKED) c
   LIMIT :limit::integer
),
@delivery_claimed
