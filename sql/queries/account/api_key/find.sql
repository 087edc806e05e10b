-- The key with this digest and the limits of its organization, valid or not:
-- the caller decides. A key of a disabled organization counts as revoked.
@parameters digest
SELECT k.id, k.organization_id, k.application_id, k.type,
       k.expires_at, least(k.revoked_at, o.disabled_at),
       o.sandbox, o.billing_status, o.publishable_session_create,
       CASE k.type WHEN 'secret' THEN o.rate_limit_secret
                   ELSE o.rate_limit_publishable END,
       k.scopes
  FROM api_key k
  JOIN organization o ON o.id = k.organization_id
 WHERE k.digest = :digest::bytea
