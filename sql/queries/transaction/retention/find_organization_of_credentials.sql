-- The first organization after the given one, not disabled, with a credential
-- that ended between :floor and :bound: one index lookup per organization.
-- Below :floor there are only dead entries, and many after a removal.
@parameters after_organization_id, floor, bound
SELECT o.id
  FROM organization o
 WHERE o.id > :after_organization_id::text AND o.disabled_at IS NULL
   AND EXISTS (SELECT FROM credential c
                WHERE c.organization_id = o.id
                  AND least(c.expires_at, c.revoked_at) >= :floor::text::bigint
                  AND least(c.expires_at, c.revoked_at) < :bound::text::bigint)
 ORDER BY o.id
 LIMIT 1
