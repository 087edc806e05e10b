-- The credentials minted by a session of any organization.
@parameters session_id, limit
SELECT
@credential_record
 WHERE c.organization_id IN (SELECT o.id FROM organization o)
   AND c.session_id = :session_id
 ORDER BY c.id DESC
 LIMIT :limit::integer
