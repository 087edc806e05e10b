-- The statuses of sessions that expire (IDV_SESSION_STATUSES in
-- domain/session/session.h, all that are open but under_review: a review has a deadline
-- of its own).
          ('created', 'pending', 'processing', 'requires_input')
