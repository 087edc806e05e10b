-- A session's tier only rises. Its answer does not show it, and stays good.
UPDATE verification_session
   SET risk_tier = $3,
       answer_xid = CASE WHEN answer_xid = xmin
                         THEN pg_current_xact_id()::xid END
 WHERE organization_id = $1 AND id = $2
   AND coalesce(array_position('{clear,review,block,bot}'::text[], risk_tier),
                0) < array_position('{clear,review,block,bot}'::text[], $3::text)
