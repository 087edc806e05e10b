-- The columns of an endpoint in the order of store/webhook/webhook_endpoint.c.
       id, application_id, name, url, enabled_events, status, description,
       metadata, created_at, updated_at, consecutive_failures, failing_since,
       (SELECT d.next_attempt_at
          FROM webhook_delivery d
         WHERE d.webhook_endpoint_id = w.id
           AND d.organization_id = w.organization_id
           AND d.status = 'pending' AND d.attempt > 0 AND d.leased_by IS NULL
         ORDER BY d.next_attempt_at
         LIMIT 1)
