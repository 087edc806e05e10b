-- Webhook endpoints that need attention, the one that has failed the longest
-- first: disabled, failing, or with due deliveries that are not tried (counted
-- up to 1,000 per kind). A delivery that a recovery has queued is due since
-- then, however old it is.
@parameters
    organization_ids,  -- NULL: all
    late_before,       -- deliveries that were due then
    failing_before,    -- failing since then
    limit
SELECT w.organization_id, w.id, w.status = 'disabled', w.failing_since,
       w.updated_at, late.deliveries, late.oldest
  FROM webhook_endpoint w
 CROSS JOIN LATERAL (
   SELECT count(*) AS deliveries, min(at) AS oldest
     FROM ((SELECT d.next_attempt_at AS at
              FROM webhook_delivery d
             WHERE d.webhook_endpoint_id = w.id
               AND d.organization_id = w.organization_id
               AND d.status = 'pending' AND d.attempt = 0
               AND d.next_attempt_at < :late_before::bigint
             ORDER BY d.id
             LIMIT 1000)
            UNION ALL
           (SELECT d.next_attempt_at
              FROM webhook_delivery d
             WHERE d.webhook_endpoint_id = w.id
               AND d.organization_id = w.organization_id
               AND d.status = 'pending' AND d.attempt > 0
               AND d.next_attempt_at < :late_before::bigint
             ORDER BY d.next_attempt_at
             LIMIT 1000)) due) late
 WHERE (:organization_ids::text[] IS NULL
        OR w.organization_id = ANY (:organization_ids::text[]))
   AND (w.status = 'disabled' OR w.failing_since < :failing_before::bigint
        OR late.deliveries > 0)
 ORDER BY w.failing_since, late.oldest, w.id
 LIMIT :limit::integer
