-- Credential $2 is shared no more.
DELETE FROM shared_credential x
 WHERE x.organization_id = $1 AND x.credential_id = $2
