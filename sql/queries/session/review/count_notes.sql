-- The number of notes on a session.
@parameters organization_id, session_id
SELECT count(*)
  FROM review_entry
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND action = 'noted'
