-- The reviewer whom the current review of the session "s" is assigned to; NULL: nobody.
       (SELECT assignee
          FROM review_entry
         WHERE organization_id = :organization_id AND session_id = s.id
           AND action IN ('held', 'flagged', 'assigned')
         ORDER BY number DESC
         LIMIT 1)
