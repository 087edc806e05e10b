-- Whose an endpoint is: for the operator, one index scan for each organization.
@parameters id
SELECT organization_id
  FROM webhook_endpoint
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = :id
