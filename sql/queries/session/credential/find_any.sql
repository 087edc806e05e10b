-- A credential of any organization: one index scan per organization.
@parameters id
SELECT
@credential_record
 WHERE c.organization_id IN (SELECT o.id FROM organization o) AND c.id = :id
