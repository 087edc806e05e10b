-- What is in use and ends before some moment, or has ended; the first to end
-- comes first.
@parameters
    list_bound, reader_bound,  -- the moments
    limit
SELECT kind, organization_id, id, name, issued_at, ends_at
  FROM (SELECT 'trust_list' AS kind, l.organization_id, l.id,
               l.kind || ' ' || l.name AS name, v.issued_at,
               v.next_update_at AS ends_at
          FROM trust_list l
          JOIN trust_list_version v
            ON v.organization_id = l.organization_id
               AND v.id = l.current_version_id
         WHERE v.next_update_at < :list_bound::bigint
         UNION ALL
        SELECT 'reader_identity', r.organization_id, r.id, r.kind, NULL,
               r.not_after
          FROM reader_identity r
         WHERE r.status = 'active' AND r.not_after < :reader_bound::bigint)
       ending
 ORDER BY ends_at, id
 LIMIT :limit::integer
