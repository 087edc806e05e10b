-- The types and states of an endpoint's deliveries, each found by one index
-- lookup after the previous one.
    (SELECT event_type, status
       FROM webhook_delivery
      WHERE organization_id = :organization_id
        AND webhook_endpoint_id = :webhook_endpoint_id
      ORDER BY event_type, status
      LIMIT 1)
    UNION ALL
    SELECT n.event_type, n.status
      FROM kind
     CROSS JOIN LATERAL (
       SELECT event_type, status
         FROM webhook_delivery
        WHERE organization_id = :organization_id
          AND webhook_endpoint_id = :webhook_endpoint_id
          AND (event_type, status) > (kind.event_type, kind.status)
        ORDER BY event_type, status
        LIMIT 1) n
