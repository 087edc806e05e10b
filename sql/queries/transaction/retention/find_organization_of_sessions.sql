-- The first organization after the given one, not disabled, with a session
-- between :floor and :bound, ids that stand for times of creation: one index
-- lookup per organization. Below :floor there are only dead entries, and many
-- after a removal.
@parameters after_organization_id, floor, bound
SELECT o.id
  FROM organization o
 WHERE o.id > :after_organization_id::text AND o.disabled_at IS NULL
   AND EXISTS (SELECT FROM verification_session s
                WHERE s.organization_id = o.id AND s.id > :floor::text
                  AND s.id < :bound::text)
 ORDER BY o.id
 LIMIT 1
