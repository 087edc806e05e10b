-- A recovery for an endpoint of any organization. No row when the endpoint does
-- not exist or is disabled.
@parameters
    webhook_endpoint_id, id,
    since_at, until_at,       -- the time that is recovered
    position, last_position,  -- the ids between which its events are
    created_at
INSERT INTO webhook_recovery (organization_id, id, webhook_endpoint_id,
                              since_at, until_at, position, last_position,
                              created_at, updated_at)
SELECT w.organization_id, :id, w.id, :since_at::bigint, :until_at::bigint,
       :position, :last_position, :created_at::bigint,
       :created_at::bigint
  FROM webhook_endpoint w
 WHERE w.organization_id IN (SELECT o.id FROM organization o)
   AND w.id = :webhook_endpoint_id
   AND w.status = 'enabled'
RETURNING
@webhook_recovery_columns
