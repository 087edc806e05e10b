-- A person of any organization, or the remains of an erased one: one index scan
-- per organization.
@parameters verified_person_id
SELECT p.organization_id, p.created_at, NULL::bigint,
       ARRAY(SELECT i.kind FROM person_identifier i
              WHERE i.organization_id = p.organization_id
                AND i.verified_person_id = p.id
              ORDER BY i.kind)
  FROM verified_person p
 WHERE p.organization_id IN (SELECT o.id FROM organization o)
   AND p.id = :verified_person_id
UNION ALL
SELECT e.organization_id, NULL::bigint, e.created_at, ARRAY[]::text[]
  FROM person_erasure e
 WHERE e.organization_id IN (SELECT o.id FROM organization o)
   AND e.verified_person_id = :verified_person_id
