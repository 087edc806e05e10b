-- Leases deliveries whose next attempt is due, and those whose lease has ended
-- without a result. Parameters as in claim_new, but $7 is now and $8 the
-- endpoints that have no room.
WITH candidate AS MATERIALIZED (
  SELECT ctid AS row, id, webhook_endpoint_id
    FROM webhook_delivery
   WHERE status = 'pending' AND (attempt > 0 OR leased_by IS NOT NULL)
     AND next_attempt_at <= $7::bigint
     AND webhook_endpoint_id <> ALL ($8::text[])
   ORDER BY next_attempt_at, id
   LIMIT $3::integer
     FOR UPDATE SKIP LOCKED
), ranked AS (
  SELECT c.*, row_number() OVER (PARTITION BY webhook_endpoint_id ORDER BY id)
         AS position
    FROM candidate c
), chosen AS MATERIALIZED (
  SELECT r.row
    FROM ranked r
    LEFT JOIN unnest($4::text[], $5::integer[]) AS b (id, room)
      ON b.id = r.webhook_endpoint_id
   WHERE r.position <= COALESCE(b.room, $6::integer)
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
