-- Rejects the offered answer; the request remains open.
@parameters
    organization_id, session_id, opening,
    counts  -- true: it is not an answer to this request
UPDATE mdl_request
   SET opening = NULL, offered = NULL, return_digest = NULL, returned_at = NULL,
       refused = refused + CASE WHEN :counts::boolean THEN 1 ELSE 0 END
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND opening = :opening AND answered_at IS NULL
