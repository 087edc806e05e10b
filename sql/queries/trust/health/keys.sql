-- Keys that expire soon, the first to expire first.
@parameters
    organization_ids,  -- NULL: all
    now, until,        -- the ends
    limit
SELECT organization_id, id, expires_at
  FROM api_key
 WHERE revoked_at IS NULL
   AND expires_at >= :now::bigint AND expires_at < :until::bigint
   AND (:organization_ids::text[] IS NULL
        OR organization_id = ANY (:organization_ids::text[]))
 ORDER BY expires_at, id
 LIMIT :limit::integer
