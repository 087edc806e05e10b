SELECT wrapped_key
  FROM session_data_key
 WHERE organization_id = $1 AND session_id = $2
