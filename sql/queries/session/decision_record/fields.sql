-- The data read from the last document of each method of a session, sealed.
@parameters organization_id, session_id
SELECT DISTINCT ON (method) method, fields
  FROM decision_record
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND method IN ('document_capture', 'nfc_passport', 'mdl')
 ORDER BY method, submission DESC
