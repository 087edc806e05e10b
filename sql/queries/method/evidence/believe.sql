-- Notes that the session passed with these parts.
@parameters organization_id, session_id, sides
UPDATE evidence
   SET believed = true
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND side = ANY (:sides::text[])
