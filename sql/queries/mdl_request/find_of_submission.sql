@parameters organization_id, session_id, submission
SELECT protocol, session_id, sealed, created_at, expires_at, answered_at,
       returned_at, return_digest IS NOT NULL, verdict, reason, id
  FROM mdl_request
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND submission = :submission::integer
