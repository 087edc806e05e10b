-- All decisions of a session, in the order of submissions.
@parameters organization_id, session_id
SELECT submission, method, verdict, record, decided_at
  FROM decision_record
 WHERE organization_id = :organization_id AND session_id = :session_id
 ORDER BY submission
