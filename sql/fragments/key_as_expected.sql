-- Whether key k matches sql/fragments/expected_key.sql. Its scopes never
-- change.
               k.id = :key_id AND k.organization_id = :organization_id
               AND k.application_id IS NOT DISTINCT FROM :application_id::text
               AND k.type = :key_type AND k.revoked_at IS NULL
               AND k.expires_at IS NOT DISTINCT FROM :key_expires_at::bigint
