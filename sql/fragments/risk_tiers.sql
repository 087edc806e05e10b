-- A session's tiers of risk, the worst last (IDV_RISK_TIERS in domain/risk/risk.h).
       '{clear,review,block,bot}'::text[]
