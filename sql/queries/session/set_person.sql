UPDATE verification_session
   SET verified_person_id = $3
 WHERE organization_id = $1 AND id = $2
