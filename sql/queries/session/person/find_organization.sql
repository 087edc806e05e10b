-- The organization of a person, erased or not: one index scan per organization.
@parameters verified_person_id
SELECT organization_id
  FROM verified_person
 WHERE organization_id IN (SELECT o.id FROM organization o)
   AND id = :verified_person_id
UNION
SELECT organization_id
  FROM person_erasure
 WHERE organization_id IN (SELECT o.id FROM organization o)
   AND verified_person_id = :verified_person_id
