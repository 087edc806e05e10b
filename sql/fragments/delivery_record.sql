-- The values of delivery_columns for each delivery.
  FROM webhook_delivery d
  LEFT JOIN webhook_endpoint w
    ON w.organization_id = d.organization_id AND w.id = d.webhook_endpoint_id
  LEFT JOIN event e
    ON e.organization_id = d.organization_id AND e.id = d.event_id
