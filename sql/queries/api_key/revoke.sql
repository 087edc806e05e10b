-- The first revocation counts.
UPDATE api_key
   SET revoked_at = coalesce(revoked_at, $2::bigint)
 WHERE id = $1
RETURNING id, organization_id, application_id, type, last_characters,
          expires_at, revoked_at, created_at
