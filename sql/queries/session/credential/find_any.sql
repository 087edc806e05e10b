-- A credential of any organization: one index scan for each.
@parameters id
SELECT
@credential_record
 WHERE c.organization_id IN (SELECT o.id FROM organization o) AND c.id = :id
