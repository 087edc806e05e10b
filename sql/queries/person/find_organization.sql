-- Whose person $1 is, or was: one index scan for each organization.
SELECT organization_id
  FROM verified_person
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = $1
UNION
SELECT organization_id
  FROM person_erasure
 WHERE organization_id IN (SELECT o.id FROM organization o)
   AND verified_person_id = $1
