-- For the operator: of any organization.
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE id = $1
