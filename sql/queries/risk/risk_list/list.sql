-- The entries of an organization after the id :after, in order.
@parameters
    organization_id,
    digest,  -- NULL: all
    after,   -- '': from the first
    limit
SELECT id, kind, listing, value, note, actor, created_at, expires_at
  FROM risk_list_entry
 WHERE organization_id = :organization_id AND id > :after
   AND (:digest::bytea IS NULL OR digest = :digest::bytea)
 ORDER BY id
 LIMIT :limit::integer
