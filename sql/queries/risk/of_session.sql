-- The assessments that were made of a session, the first one first.
@parameters organization_id, session_id, limit
SELECT body
  FROM risk_assessment
 WHERE organization_id = :organization_id AND session_id = :session_id
 ORDER BY id
 LIMIT :limit::integer
