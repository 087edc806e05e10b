-- Leases the rows of `chosen`, which are locked: so their physical positions
-- are valid addresses, and no plan can go wrong. The commit does not wait for
-- the disk: a claim lost in a crash of the server is repeated.
claimed AS MATERIALIZED (
  UPDATE webhook_delivery d
     SET leased_by = :claimer::text, leased_until = :leased_until::bigint
   WHERE d.ctid = ANY (ARRAY(SELECT row FROM chosen))
  RETURNING d.organization_id, d.id, d.webhook_endpoint_id, d.event_id,
            d.attempt
), receiver AS MATERIALIZED (
  SELECT w.organization_id, w.id, w.status, w.url, w.sealed_secret,
         (SELECT f.sealed_secret
            FROM webhook_overlap f
           WHERE f.organization_id = w.organization_id
             AND f.webhook_endpoint_id = w.id
             AND f.ends_at > :now::bigint) AS former_secret
    FROM (SELECT DISTINCT organization_id, webhook_endpoint_id AS id
            FROM claimed) c
    JOIN webhook_endpoint w USING (organization_id, id)
), hasty AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
)
SELECT c.organization_id, c.id, c.webhook_endpoint_id, c.event_id, c.attempt,
       w.status = 'enabled', w.url, w.sealed_secret, e.body,
       w.former_secret, e.trace
  FROM claimed c
 CROSS JOIN hasty
  LEFT JOIN receiver w
    ON w.organization_id = c.organization_id AND w.id = c.webhook_endpoint_id
  LEFT JOIN event e
    ON e.organization_id = c.organization_id AND e.id = c.event_id
