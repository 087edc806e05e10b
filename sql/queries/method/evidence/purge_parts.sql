-- Removes only these parts; the key is kept for the others.
@parameters organization_id, session_id, sides
DELETE FROM evidence
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND side = ANY (:sides::text[])
