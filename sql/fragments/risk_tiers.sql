-- The risk tiers of a session, the worst last (IDV_RISK_TIERS in
-- domain/risk/risk.h).
       '{clear,review,block,bot}'::text[]
