-- Leases deliveries that were never tried. The endpoints that have some are
-- found by a skip scan, and each gets an equal share of what may be claimed,
-- within its room. The rows are locked, so their places are good for addresses:
-- no plan can go astray. The commit does not wait for the disk: a claim that a
-- crash of the server undoes is made again.
--
-- $1 end of the lease, $2 node, $3 deliveries at most, $4 endpoints with
-- another room than the default and $5 that room, $6 the default room,
-- $7 the endpoint after which to begin.
WITH RECURSIVE endpoint AS (
  (SELECT webhook_endpoint_id AS id
     FROM webhook_delivery
    WHERE status = 'pending' AND attempt = 0 AND leased_by IS NULL
    ORDER BY webhook_endpoint_id
    LIMIT 1)
  UNION ALL
  SELECT (SELECT d.webhook_endpoint_id
            FROM webhook_delivery d
           WHERE d.status = 'pending' AND d.attempt = 0
             AND d.leased_by IS NULL
             AND d.webhook_endpoint_id > endpoint.id
           ORDER BY d.webhook_endpoint_id
           LIMIT 1)
    FROM endpoint
   WHERE endpoint.id IS NOT NULL
), share AS MATERIALIZED (
  SELECT e.id, LEAST(COALESCE(b.room, $6::integer),
                     GREATEST(1, $3::integer / count(*) OVER ())) AS room
    FROM endpoint e
    LEFT JOIN unnest($4::text[], $5::integer[]) AS b (id, room) ON b.id = e.id
   WHERE e.id IS NOT NULL
     AND COALESCE(b.room, $6::integer) > 0
), chosen AS MATERIALIZED (
  SELECT d.row
    FROM (SELECT * FROM share
           ORDER BY id COLLATE "C" <= $7::text, id COLLATE "C") s
   CROSS JOIN LATERAL (
     SELECT ctid AS row
       FROM webhook_delivery
      WHERE webhook_endpoint_id = s.id
        AND status = 'pending' AND attempt = 0 AND leased_by IS NULL
      ORDER BY id
      LIMIT s.room
        FOR UPDATE SKIP LOCKED) d
   LIMIT $3::integer
), claimed AS (
  UPDATE webhook_delivery d
     SET leased_by = $2::text, next_attempt_at = $1::bigint
   WHERE d.ctid = ANY (ARRAY(SELECT row FROM chosen))
  RETURNING d.organization_id, d.id, d.webhook_endpoint_id, d.event_id,
            d.attempt
), hasty AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
)
SELECT c.organization_id, c.id, c.webhook_endpoint_id, c.event_id, c.attempt,
       w.status = 'enabled', w.url, w.sealed_secret, e.body
  FROM claimed c
 CROSS JOIN hasty
  LEFT JOIN webhook_endpoint w
    ON w.organization_id = c.organization_id AND w.id = c.webhook_endpoint_id
  LEFT JOIN event e
    ON e.organization_id = c.organization_id AND e.id = c.event_id
