-- Credential $1, whosever it is: one index scan for each organization.
SELECT
@credential_record
 WHERE c.organization_id IN (SELECT o.id FROM organization o) AND c.id = $1
