-- Ends the sharing of a credential.
@parameters organization_id, credential_id
DELETE FROM shared_credential x
 WHERE x.organization_id = :organization_id AND x.credential_id = :credential_id
