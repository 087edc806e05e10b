-- Removes a passkey of any organization; returns its credential.
@parameters digest
DELETE FROM passkey p
 WHERE p.organization_id IN (SELECT o.id FROM organization o)
   AND p.digest = :digest::bytea
RETURNING p.credential_id
