-- The newest $3 credentials of person $2, also those that are not valid.
SELECT
@credential_record
 WHERE c.organization_id = $1 AND c.verified_person_id = $2
 ORDER BY c.id DESC
 LIMIT $3::integer
