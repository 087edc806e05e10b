-- Who flagged or escalated a verified session, since it was flagged. No row if
-- its organization does not require two people for a rejection, or if the
-- session is held for another reason.
@parameters organization_id, session_id
SELECT ARRAY(SELECT e.actor
               FROM review_entry e
              WHERE e.organization_id = opened.organization_id
                AND e.session_id = opened.session_id
                AND e.number >= opened.number AND e.actor IS NOT NULL
                AND e.action IN ('flagged', 'escalated'))
  FROM (SELECT organization_id, session_id, action, number
          FROM review_entry
         WHERE organization_id = :organization_id AND session_id = :session_id
           AND action IN ('held', 'flagged')
         ORDER BY number DESC
         LIMIT 1) opened
  JOIN organization o ON o.id = opened.organization_id AND o.four_eyes_reject
 WHERE opened.action = 'flagged'
