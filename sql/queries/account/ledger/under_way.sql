-- Live sessions that are open and not counted; at most :limit are read. Their
-- order leaves only the plan with their index.
@parameters organization_id, limit
SELECT count(*)
  FROM (SELECT
          FROM verification_session
         WHERE organization_id = :organization_id
           AND livemode AND completed_at IS NULL
           AND status NOT IN
@session_ended
         ORDER BY created_at
         LIMIT :limit::bigint) under_way
