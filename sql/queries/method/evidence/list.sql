-- In the order of :sides.
@parameters organization_id, session_id, sides
SELECT side, media_type, sealed
  FROM evidence
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND side = ANY (:sides::text[])
 ORDER BY array_position(:sides::text[], side)
