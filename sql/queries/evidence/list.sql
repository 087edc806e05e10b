SELECT side, media_type, sealed
  FROM evidence
 WHERE organization_id = $1 AND session_id = $2 AND side = ANY ($3::text[])
 ORDER BY side DESC
