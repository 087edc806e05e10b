-- Whether the session's last document with an evaluated issuer is a test
-- issuer's and was not accepted as such. No row without such a document.
@parameters organization_id, session_id
SELECT c.value ->> 'reason' IS NOT DISTINCT FROM 'test_issuer_refused' AS refused
  FROM decision_record d
 CROSS JOIN LATERAL json_array_elements(d.record -> 'checks') c
 WHERE d.organization_id = :organization_id AND d.session_id = :session_id
   AND c.value ->> 'check' = 'test_issuer'
 ORDER BY d.submission DESC, refused DESC
 LIMIT 1
