-- Deliveries of the events e to the endpoints w, due at once.
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                              event_id, event_type, next_attempt_at,
                              created_at, updated_at)
SELECT e.organization_id,
@delivery_id
       , w.id, e.id, e.type, e.created_at, e.created_at, e.created_at
