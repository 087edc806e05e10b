-- A recovery for an endpoint, whose row is locked; no row if one is running.
@parameters
    organization_id, webhook_endpoint_id, id,
    since_at, until_at,       -- the recovered period
    position, last_position,  -- the ids between which its events are
    created_at
INSERT INTO webhook_recovery (organization_id, id, webhook_endpoint_id,
                              since_at, until_at, position, last_position,
                              created_at, updated_at)
SELECT :organization_id::text, :id::text, :webhook_endpoint_id::text,
       :since_at::bigint, :until_at::bigint, :position::text,
       :last_position::text, :created_at::bigint, :created_at::bigint
 WHERE NOT EXISTS (
         SELECT
           FROM webhook_recovery r
          WHERE r.organization_id = :organization_id::text
            AND r.webhook_endpoint_id = :webhook_endpoint_id::text
            AND r.status = 'running')
RETURNING
@webhook_recovery_columns
