@parameters
    organization_id, application_id, route, key,
    outdated_until  -- records from then or before are not valid
SELECT request_digest, status, sealed_response
  FROM idempotency_record
 WHERE organization_id = :organization_id AND application_id = :application_id
   AND route = :route AND key = :key
   AND created_at > :outdated_until::bigint
