-- The newest credentials of a person, including invalid ones.
@parameters organization_id, verified_person_id, limit
SELECT
@credential_record
 WHERE c.organization_id = :organization_id
   AND c.verified_person_id = :verified_person_id
 ORDER BY c.id DESC
 LIMIT :limit::integer
