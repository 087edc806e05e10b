-- The statuses of sessions that have ended (IDV_SESSION_STATUSES in
-- domain/session/session.h, all that are not open).
          ('verified', 'failed', 'cancelled', 'expired')
