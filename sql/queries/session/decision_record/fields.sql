-- The data read from the last document of a session, sealed.
@parameters organization_id, session_id
SELECT fields
  FROM decision_record
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND method = 'document_capture'
 ORDER BY submission DESC
 LIMIT 1
