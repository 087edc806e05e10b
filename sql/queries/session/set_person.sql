-- The answer does not show whose session it is, and stays good.
UPDATE verification_session
   SET verified_person_id = $3,
       answer_xid = CASE WHEN answer_xid = xmin
                         THEN pg_current_xact_id()::xid END
 WHERE organization_id = $1 AND id = $2
