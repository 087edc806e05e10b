-- Unless it was replaced or removed meanwhile.
@parameters organization_id, session_id, id, was, sealed
UPDATE outgoing_mail
   SET wrapped_key = :sealed::bytea
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND id = :id
   AND wrapped_key = :was::bytea
