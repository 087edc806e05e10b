@parameters organization_id, session_id
SELECT id, number, assisted, created_at, passed,
       coalesce(arrived_at[1], 0), coalesce(arrived_at[2], 0),
       coalesce(arrived_at[3], 0), coalesce(arrived_at[4], 0),
       provider
  FROM liveness_challenge
 WHERE organization_id = :organization_id AND session_id = :session_id
