-- Removes an endpoint and cancels its recoveries.
@parameters organization_id, id, application_id, now
WITH given_up AS (
  UPDATE webhook_recovery
     SET status = 'cancelled', updated_at = :now::bigint,
         finished_at = :now::bigint
   WHERE organization_id = :organization_id AND webhook_endpoint_id = :id
     AND status = 'running'
), former AS (
  DELETE FROM webhook_overlap
   WHERE organization_id = :organization_id AND webhook_endpoint_id = :id
)
DELETE FROM webhook_endpoint
@in_scope
