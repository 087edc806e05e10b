-- Records the results of attempts. A node that has lost the lease, or whose
-- delivery its owner has requeued, records nothing. Empty texts stand for NULL;
-- without a URL no attempt was made, and the record keeps that of the last one,
-- entirely if the delivery is released as pending. Leased deliveries are
-- pending, but a condition on that would offer the planner the index of pending
-- ones, all of which it would compare with each result.
--
-- Counts the failures in a row of the endpoints. While there are none, their
-- rows are not touched; otherwise they are locked in the order of their ids to
-- avoid deadlocks between nodes.
@parameters
    now, claimer, organization_ids, ids, leases, statuses, next_attempts,
    request_urls, request_headers, responses, last_errors
WITH result AS MATERIALIZED (
  SELECT organization_id, id, leased_until, status, next_attempt_at,
         request_url, request_headers, response, last_error, place
    FROM unnest(:organization_ids::text[], :ids::text[], :leases::bigint[],
                :statuses::text[], :next_attempts::bigint[],
                :request_urls::text[], :request_headers::text[],
                :responses::text[], :last_errors::text[])
         WITH ORDINALITY
      AS s (organization_id, id, leased_until, status, next_attempt_at,
            request_url, request_headers, response, last_error, place)
), settled AS (
  UPDATE webhook_delivery d
     SET status = s.status,
         attempt = d.attempt + (s.request_url <> '')::integer,
         next_attempt_at = CASE WHEN s.request_url = '' AND s.status = 'pending'
                                THEN d.next_attempt_at
                                ELSE nullif(s.next_attempt_at, 0) END,
         leased_by = NULL,
         leased_until = NULL,
         request_url = coalesce(nullif(s.request_url, ''), d.request_url),
         request_headers = coalesce(nullif(s.request_headers, '')::json,
                                    d.request_headers),
         response = CASE WHEN s.request_url = '' THEN d.response
                         ELSE nullif(s.response, '')::json END,
         last_error = CASE WHEN s.request_url = '' AND s.status = 'pending'
                           THEN d.last_error
                           ELSE nullif(s.last_error, '')::json END,
         delivered_at = CASE WHEN s.status = 'delivered' THEN :now::bigint END,
         updated_at = :now::bigint
    FROM result s
   WHERE d.organization_id = s.organization_id
     AND d.id = s.id
     AND d.leased_by = :claimer::text
     AND d.leased_until = s.leased_until
  RETURNING d.organization_id, d.webhook_endpoint_id, s.place,
            s.request_url <> '' AS tried, s.status = 'delivered' AS delivered
), health AS (
  SELECT organization_id, webhook_endpoint_id, bool_or(delivered) AS answered,
         count(*) FILTER (WHERE place > coalesce(last_delivered, 0))::integer
           AS failures
    FROM (SELECT organization_id, webhook_endpoint_id, place, delivered,
                 max(place) FILTER (WHERE delivered)
                   OVER (PARTITION BY organization_id, webhook_endpoint_id)
                   AS last_delivered
            FROM settled
           WHERE tried) attempt
   GROUP BY organization_id, webhook_endpoint_id
), changed AS MATERIALIZED (
  SELECT w.organization_id, w.id, h.answered, h.failures
    FROM health h
    JOIN webhook_endpoint w
      ON w.organization_id = h.organization_id AND w.id = h.webhook_endpoint_id
   WHERE h.failures > 0 OR w.consecutive_failures > 0
   ORDER BY w.organization_id, w.id
     FOR NO KEY UPDATE OF w
), noted AS (
  UPDATE webhook_endpoint w
     SET consecutive_failures =
           c.failures + CASE WHEN c.answered THEN 0
                             ELSE w.consecutive_failures END,
         failing_since =
           CASE WHEN c.failures = 0 THEN NULL
                WHEN c.answered OR w.failing_since IS NULL THEN :now::bigint
                ELSE w.failing_since END
    FROM changed c
   WHERE w.organization_id = c.organization_id AND w.id = c.id
)
SELECT count(*) FROM settled
