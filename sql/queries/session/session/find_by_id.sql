-- For the operator, who need not know the organization: one index scan per
-- organization.
@parameters id
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = :id
