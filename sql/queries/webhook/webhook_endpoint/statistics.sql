-- The outcomes of each endpoint's newest deliveries, up to the limit, with the
-- response times of which half and 95 % are not longer. The newest endpoint is
-- first.
@parameters organization_id, limit
SELECT w.id, w.url, w.name, count(d.status),
       count(*) FILTER (WHERE d.status = 'delivered'),
       count(*) FILTER (WHERE d.status = 'failed'),
       count(*) FILTER (WHERE d.status = 'pending'),
       percentile_disc(0.5) WITHIN GROUP (ORDER BY d.duration),
       percentile_disc(0.95) WITHIN GROUP (ORDER BY d.duration)
  FROM webhook_endpoint w
  LEFT JOIN LATERAL (
    SELECT status, (response ->> 'duration_ms')::bigint AS duration
      FROM webhook_delivery
     WHERE organization_id = :organization_id AND webhook_endpoint_id = w.id
     ORDER BY id DESC
     LIMIT :limit::integer) d ON true
 WHERE w.organization_id = :organization_id
 GROUP BY w.id, w.url, w.name
 ORDER BY w.id DESC
