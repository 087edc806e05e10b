-- A delivery as if it had never been tried, due at once.
       status = 'pending', attempt = 0, next_attempt_at = :now::bigint,
       leased_by = NULL, leased_until = NULL, request_url = NULL,
       request_headers = NULL, response = NULL, last_error = NULL,
       delivered_at = NULL, updated_at = :now::bigint
