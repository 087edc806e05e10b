-- A recovery $2 of endpoint $1, of any organization, for the time from $3 to
-- $4; $5 and $6 are the ids between which its events are. No row when the
-- endpoint does not exist or is disabled.
INSERT INTO webhook_recovery (organization_id, id, webhook_endpoint_id,
                              since_at, until_at, position, last_position,
                              created_at, updated_at)
SELECT w.organization_id, $2, w.id, $3::bigint, $4::bigint, $5, $6, $7::bigint,
       $7::bigint
  FROM webhook_endpoint w
 WHERE w.organization_id IN (SELECT o.id FROM organization o) AND w.id = $1
   AND w.status = 'enabled'
RETURNING
@webhook_recovery_columns
