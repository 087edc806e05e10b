-- Records the identifiers of a session whose person was found too young.
@parameters
    organization_id, session_id,
    device_digest, ip_digest,  -- NULL: none
    now
INSERT INTO age_failure (organization_id, digest, session_id, failed_at)
SELECT :organization_id::text, d.digest, :session_id::text, :now::bigint
  FROM (SELECT :device_digest::bytea AS digest
        UNION SELECT :ip_digest::bytea) d
 WHERE d.digest IS NOT NULL
ON CONFLICT (organization_id, digest, session_id)
DO UPDATE SET failed_at = excluded.failed_at
