-- Whether this was ever the secret of a page of the organization, of the session
-- or of a handoff: no row while the organization is disabled.
@parameters
    organization_id,
    session_id,  -- NULL: the secret names none
    digest
SELECT 1
 WHERE (EXISTS (SELECT FROM verification_session s
                 WHERE s.organization_id = :organization_id
                   AND s.id = :session_id::text
                   AND s.client_secret_digest = :digest::bytea)
        OR EXISTS (SELECT FROM page_secret p
                    WHERE p.organization_id = :organization_id
                      AND p.digest = :digest::bytea))
   AND
@organization_open
