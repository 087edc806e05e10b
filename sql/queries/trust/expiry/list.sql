-- Trust material in use that expires before some time, or has expired, the
-- first to expire first. Certificates are reported by list. Expired ones count
-- only in the operator's own lists; a publisher removes them from its own.
-- Imported revocation lists are reported while their authority is trusted.
@parameters
    now,
    list_bound, certificate_bound,  -- the moments
    limit
SELECT kind, organization_id, id, name, issued_at, ends_at, certificates
  FROM (SELECT 'trust_list' AS kind, l.organization_id, l.id,
               l.kind || ' ' || l.name AS name, v.issued_at,
               v.next_update_at AS ends_at, NULL::bigint AS certificates
          FROM trust_list l
          JOIN trust_list_version v
            ON v.organization_id = l.organization_id
               AND v.id = l.current_version_id
         WHERE v.next_update_at < :list_bound::bigint
         UNION ALL
        SELECT 'reader_identity', r.organization_id, r.id, r.kind, NULL,
               r.not_after, NULL
          FROM reader_identity r
         WHERE r.status = 'active'
           AND r.not_after < :certificate_bound::bigint
         UNION ALL
        SELECT 'revocation_list', '', substr(r.address, 6),
               coalesce(r.issuer, ''), NULL, r.ends_at, NULL
          FROM revocation_list r
         WHERE r.ends_at < :list_bound::bigint
           AND EXISTS (SELECT
                         FROM trust_list l
                         JOIN trust_list_certificate c
                           ON c.organization_id = l.organization_id
                              AND c.trust_list_version_id = l.current_version_id
                        WHERE c.digest = decode(substr(r.address, 6), 'hex'))
         UNION ALL
        SELECT 'trust_certificates', l.organization_id, l.id,
               l.kind || ' ' || l.name, NULL, min(t.not_after), count(*)
          FROM trust_list l
          JOIN trust_list_certificate c
            ON c.organization_id = l.organization_id
               AND c.trust_list_version_id = l.current_version_id
          JOIN trust_certificate t ON t.digest = c.digest
         WHERE t.not_after < :certificate_bound::bigint
           AND (t.not_after > :now::bigint
                OR l.kind IN ('iaca', 'sandbox-signer', 'csca'))
         GROUP BY l.organization_id, l.id, l.kind, l.name)
       ending
 ORDER BY ends_at, id
 LIMIT :limit::integer
