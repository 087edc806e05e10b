-- The columns of a recovery in the order of store/webhook/webhook_recovery.c.
       id, organization_id, webhook_endpoint_id, since_at, until_at, status,
       position, events_examined, deliveries_requeued, deliveries_created,
       created_at, updated_at, finished_at, examined_until
