-- Ends the sharing of the credentials that a session minted.
@parameters organization_id, session_id
DELETE FROM shared_credential x
 WHERE x.organization_id = :organization_id
   AND x.credential_id IN (SELECT c.id FROM credential c
                            WHERE c.organization_id = :organization_id
                              AND c.session_id = :session_id)
RETURNING x.organization_id, x.credential_id
