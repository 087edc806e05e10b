-- The first organization behind the given one that has a session which was created
-- before the one that :bound stands for: one look into the index for each.
@parameters after_organization_id, bound
SELECT o.id
  FROM organization o
 WHERE o.id > :after_organization_id::text
   AND EXISTS (SELECT FROM verification_session s
                WHERE s.organization_id = o.id AND s.id < :bound::text)
 ORDER BY o.id
 LIMIT 1
