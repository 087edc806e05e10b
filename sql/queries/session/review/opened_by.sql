-- Who opened the current review of a session; NULL: the workflow. If two people
-- are needed to reject, the action of a key counts as its creator's, who is
-- named by the first record about the key: otherwise the person who creates a
-- server's keys could not decide anything that the server flags.
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
