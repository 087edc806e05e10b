SELECT array_agg(side ORDER BY side)
  FROM evidence
 WHERE organization_id = $1 AND session_id = $2
