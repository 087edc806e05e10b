-- Stores a passkey, unless it exists or its credential has :limit. Returns its
-- digest if it is new. Registrations of one session wait for each other, since
-- they hold its lock.
@parameters
    organization_id, digest, credential_id, user_handle, public_key, sign_count,
    now, limit
INSERT INTO passkey (organization_id, digest, credential_id, user_handle,
                     public_key, sign_count, created_at)
SELECT :organization_id::idv_id, :digest::bytea, :credential_id::idv_id,
       :user_handle::bytea, :public_key::bytea, :sign_count::bigint,
       :now::bigint
 WHERE (SELECT count(*)
          FROM passkey
         WHERE organization_id = :organization_id::idv_id
           AND credential_id = :credential_id::idv_id) < :limit::integer
    ON CONFLICT (organization_id, digest) DO NOTHING
RETURNING digest
