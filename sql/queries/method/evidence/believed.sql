@parameters organization_id, session_id
SELECT array_agg(side ORDER BY side)
  FROM evidence
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND believed
