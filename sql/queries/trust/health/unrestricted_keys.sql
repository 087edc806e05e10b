-- Secret keys without restrictions that are not known to be created by an
-- admin.
@parameters
    organization_ids,  -- NULL: all
    now,
    limit
SELECT organization_id, id
  FROM api_key
 WHERE type = 'secret' AND scopes IS NULL AND by_admin IS NOT TRUE
   AND revoked_at IS NULL
   AND (expires_at IS NULL OR expires_at > :now::bigint)
   AND (:organization_ids::text[] IS NULL
        OR organization_id = ANY (:organization_ids::text[]))
 ORDER BY organization_id, id
 LIMIT :limit::integer
