-- Nothing is shared any more of whoever has an identifier of person $2,
-- whichever organization verified them.
DELETE FROM shared_credential x
 WHERE (x.organization_id, x.credential_id) IN (
         SELECT y.organization_id, y.credential_id
           FROM person_identifier p
           JOIN shared_credential y ON y.digest = p.digest
          WHERE p.organization_id = $1 AND p.verified_person_id = $2)
RETURNING x.organization_id, x.credential_id
