@parameters organization_id, session_id
SELECT wrapped_key
  FROM session_data_key
 WHERE organization_id = :organization_id AND session_id = :session_id
