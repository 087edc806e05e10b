-- The stored answer does not show the person, and stays valid.
@parameters organization_id, id, verified_person_id
UPDATE verification_session
   SET verified_person_id = :verified_person_id,
       answer_xid = CASE WHEN answer_xid = xmin
                         THEN pg_current_xact_id()::xid END
 WHERE organization_id = :organization_id AND id = :id
