-- Whether the key and its organization are as expected.
   AND (SELECT k.id = :key_id AND k.organization_id = :organization_id
               AND k.application_id IS NOT DISTINCT FROM :application_id::text
               AND k.type = :key_type AND k.revoked_at IS NULL
               AND k.expires_at IS NOT DISTINCT FROM :key_expires_at::bigint
               AND o.sandbox = :sandbox::boolean
               AND (o.billing_status = 'suspended')
                   = :billing_suspended::boolean
               AND (o.publishable_session_create = 'blocked')
                   = :publishable_create_blocked::boolean
          FROM api_key k
          JOIN organization o ON o.id = k.organization_id
         WHERE k.digest = :key_digest::bytea)
