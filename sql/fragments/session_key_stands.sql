-- Whether the key and its organization are as $4 to $11 say
-- (idv_api_key_guard_params()).
   AND (SELECT k.id = $6 AND k.organization_id = $1
               AND k.application_id IS NOT DISTINCT FROM $4::text
               AND k.type = $7 AND k.revoked_at IS NULL
               AND k.expires_at IS NOT DISTINCT FROM $8::bigint
               AND o.sandbox = $9::boolean
               AND (o.billing_status = 'suspended') = $10::boolean
               AND (o.publishable_session_create = 'blocked') = $11::boolean
          FROM api_key k
          JOIN organization o ON o.id = k.organization_id
         WHERE k.digest = $5::bytea)
