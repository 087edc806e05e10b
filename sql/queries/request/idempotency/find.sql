-- A record of an earlier release contains the text of the key and expires with
-- age.
@parameters
    organization_id, application_id, route, key,
    former_key,      -- the key as earlier releases stored it
    outdated_until  -- records up to this time are invalid
SELECT request_digest, status, sealed_response, key
  FROM idempotency_record
 WHERE organization_id = :organization_id AND application_id = :application_id
   AND route = :route AND key IN (:key, :former_key)
   AND created_at > :outdated_until::bigint
 ORDER BY key = :key DESC
 LIMIT 1
