-- The columns of a second review r, in the order of store/session/second_review.c.
       coalesce(r.shown_id, r.id), r.session_id, r.first_reviewer,
       r.first_decision, r.first_reason, r.chosen_at, r.deadline_at,
       r.second_reviewer, r.second_decision, r.second_reason, r.decided_at,
       r.lapsed_at, r.settled_by, r.settled_decision, r.settled_at
