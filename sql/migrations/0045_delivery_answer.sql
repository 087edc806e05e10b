-- Deliveries that went wrong, by what the receiver answered; 0: nothing. Those
-- that went well are not in it.
CREATE INDEX webhook_delivery_by_answer
    ON webhook_delivery (organization_id, webhook_endpoint_id,
        (coalesce((response ->> 'status_code')::integer, 0)), id)
    WHERE status <> 'delivered' AND attempt > 0;
