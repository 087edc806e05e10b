-- The columns of a delivery's record in the order of
-- store/webhook/webhook_delivery.c. During an attempt there is no next one to
-- show.
       d.id, d.webhook_endpoint_id, d.event_id, d.event_type, d.status,
       d.attempt,
       CASE WHEN d.leased_by IS NULL THEN d.next_attempt_at END,
       coalesce(d.request_url, w.url), d.request_headers, e.body, d.response,
       d.last_error, d.delivered_at, d.created_at, d.updated_at
