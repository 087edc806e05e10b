-- For the operator, of any organization: one index scan per organization.
@parameters id
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = :id
