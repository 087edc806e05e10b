-- The number of a session's entries of one kind.
@parameters
    organization_id, session_id,
    action  -- noted, assigned
SELECT count(*)
  FROM review_entry
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND action = :action
