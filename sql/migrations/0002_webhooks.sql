-- Managing webhooks: deliveries by kind and state, events of an application,
-- test events, and recoveries.

-- One index for every filter of the list of deliveries: a kind and a state are
-- one range of it, in the order of ids.
CREATE INDEX webhook_delivery_by_kind
    ON webhook_delivery (organization_id, webhook_endpoint_id, event_type,
                         status, id);
DROP INDEX webhook_delivery_by_endpoint;

-- When an endpoint is tried again. Deliveries that succeed at once are never
-- in it.
CREATE INDEX webhook_delivery_repeated
    ON webhook_delivery (organization_id, webhook_endpoint_id, next_attempt_at)
    WHERE status = 'pending' AND attempt > 0 AND leased_by IS NULL;

-- Of a test event: the only endpoint that gets it.
ALTER TABLE event ADD COLUMN webhook_endpoint_id idv_id;

CREATE INDEX event_by_application
    ON event (organization_id, application_id, type, id)
    WHERE application_id IS NOT NULL;

-- A job that queues again what an endpoint has missed. The watchdog goes
-- through the events between two ids; position is the last one it has seen.
CREATE TABLE webhook_recovery (
    organization_id     idv_id NOT NULL,
    id                  idv_id NOT NULL,
    webhook_endpoint_id idv_id NOT NULL,
    since_at            bigint NOT NULL,
    until_at            bigint NOT NULL,
    status              text NOT NULL DEFAULT 'running'
        CHECK (status IN ('running', 'finished', 'cancelled')),
    position            idv_id NOT NULL,
    last_position       idv_id NOT NULL,
    events_examined     bigint NOT NULL DEFAULT 0,
    deliveries_requeued bigint NOT NULL DEFAULT 0,
    deliveries_created  bigint NOT NULL DEFAULT 0,
    created_at          bigint NOT NULL,
    updated_at          bigint NOT NULL,
    finished_at         bigint,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhook_recovery_running
    ON webhook_recovery (updated_at) WHERE status = 'running';
