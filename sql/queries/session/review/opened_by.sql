-- Who opened the review that a session is under; NULL: the workflow. Where two people
-- are needed to reject, what a key did is its maker's, whom the first record about it
-- names: else who makes the keys of a server could decide nothing that it flags.
@parameters organization_id, session_id
SELECT coalesce((SELECT a.entry::json ->> 'actor'
                   FROM organization o
                   JOIN operator_action a ON a.organization_id = o.id
                  WHERE o.id = :organization_id
                    AND o.four_eyes_reject
                    AND a.entry::json ->> 'subject' = e.actor
                  ORDER BY a.id
                  LIMIT 1),
                e.actor) AS actor
  FROM review_entry e
 WHERE e.organization_id = :organization_id AND e.session_id = :session_id
   AND e.action IN ('held', 'flagged')
 ORDER BY e.number DESC
 LIMIT 1
