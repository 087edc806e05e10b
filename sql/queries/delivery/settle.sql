-- Records the results of attempts. Who has lost the lease meanwhile, or whose
-- delivery was queued anew by its owner, records nothing. Empty texts stand
-- for NULL.
UPDATE webhook_delivery d
   SET status = s.status,
       attempt = d.attempt + 1,
       next_attempt_at = NULLIF(s.next_attempt_at, 0),
       leased_by = NULL,
       request_url = s.request_url,
       request_headers = NULLIF(s.request_headers, '')::json,
       response = NULLIF(s.response, '')::json,
       last_error = NULLIF(s.last_error, '')::json,
       delivered_at = CASE WHEN s.status = 'delivered' THEN $1::bigint END,
       updated_at = $1::bigint
  FROM unnest($3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[],
              $8::text[], $9::text[], $10::text[], $11::text[])
    AS s (organization_id, id, leased_until, status, next_attempt_at,
          request_url, request_headers, response, last_error)
 WHERE d.organization_id = s.organization_id
   AND d.id = s.id
   AND d.status = 'pending'
   AND d.leased_by = $2::text
   AND d.next_attempt_at = s.leased_until
