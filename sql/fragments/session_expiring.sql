-- The statuses of sessions that expire (IDV_SESSION_STATUSES in
-- domain/session/session.h, all that are open except under_review: a review has
-- its own deadline).
          ('created', 'pending', 'processing', 'requires_input')
