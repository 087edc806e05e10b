SELECT request_digest, status, sealed_response
  FROM idempotency_record
 WHERE organization_id = $1 AND application_id = $2 AND route = $3 AND key = $4
   AND created_at > $5::bigint
