-- The organization of an endpoint, for the operator: one index scan per
-- organization.
@parameters id
SELECT organization_id
  FROM webhook_endpoint
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = :id
