-- Adds the decision in a session's newest review entry to the sample, if the
-- organization's share reaches the number. The session is locked.
@parameters
    organization_id, session_id,
    number,  -- 0 to 99, out of the session and a key of the server
    shown_id, decision, chosen_at, deadline_at
INSERT INTO second_review (organization_id, id, shown_id, session_id,
                           first_reviewer, first_decision, first_reason,
                           chosen_at, deadline_at)
SELECT e.organization_id, e.id, :shown_id::text, e.session_id, e.actor,
       :decision::text, e.reason_code, :chosen_at::bigint,
       :deadline_at::bigint
  FROM (SELECT organization_id, id, session_id, actor, reason_code
          FROM review_entry
         WHERE organization_id = :organization_id AND session_id = :session_id
         ORDER BY number DESC
         LIMIT 1) e
  JOIN organization o ON o.id = e.organization_id
 WHERE o.second_review_percent > :number::integer
