-- A session's tier only rises.
UPDATE verification_session
   SET risk_tier = $3
 WHERE organization_id = $1 AND id = $2
   AND coalesce(array_position('{clear,review,block,bot}'::text[], risk_tier),
                0) < array_position('{clear,review,block,bot}'::text[], $3::text)
