-- The newest assessments of a session, in order.
@parameters organization_id, session_id, limit
SELECT body
  FROM (SELECT id, body
          FROM risk_assessment
         WHERE organization_id = :organization_id AND session_id = :session_id
         ORDER BY id DESC
         LIMIT :limit::integer) newest
 ORDER BY id
