-- A session's tier only rises. Its stored answer does not show the tier and
-- stays valid.
@parameters organization_id, id, risk_tier
UPDATE verification_session
   SET risk_tier = :risk_tier,
       answer_xid = CASE WHEN answer_xid = xmin
                         THEN pg_current_xact_id()::xid END
 WHERE organization_id = :organization_id AND id = :id
   AND coalesce(array_position(
@risk_tiers
       , risk_tier), 0) < array_position(
@risk_tiers
       , :risk_tier::text)
