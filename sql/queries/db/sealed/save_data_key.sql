-- Unless it was replaced or removed meanwhile.
@parameters organization_id, session_id, was, sealed
UPDATE session_data_key
   SET wrapped_key = :sealed::bytea
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND wrapped_key = :was::bytea
