@parameters organization_id, digest
SELECT credential_id, user_handle, public_key
  FROM passkey
 WHERE organization_id = :organization_id AND digest = :digest::bytea
   AND cloned_at IS NULL
