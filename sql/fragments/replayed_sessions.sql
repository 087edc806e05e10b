-- The sessions of a `page` (id, workflow_id, status); those that ended in
-- :workflow_id come with their stored data. If the page has a status, it must
-- still be the current one.
SELECT session.*, page.id, page.status, kept.decisions, kept.reviews,
       kept.assessments
  FROM page
  LEFT JOIN LATERAL (
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id AND id = page.id
   AND page.workflow_id = :workflow_id
   AND verification_session.status IN
@session_ended
   AND verification_session.status = coalesce(page.status,
                                              verification_session.status)
 LIMIT 1
       ) session ON true
  LEFT JOIN LATERAL (
         SELECT (SELECT json_agg(json_build_object(
                          'method', d.method, 'verdict', d.verdict,
                          'decided', d.decided_at,
                          'doubts', d.record -> 'doubts',
                          'session_verdict', d.record -> 'session_verdict')
                          ORDER BY d.submission)
                   FROM decision_record d
                  WHERE d.organization_id = :organization_id
                    AND d.session_id = session.id) AS decisions,
                (SELECT json_agg(json_build_object('action', e.action,
                                                   'at', e.created_at)
                                 ORDER BY e.number)
                   FROM review_entry e
                  WHERE e.organization_id = :organization_id
                    AND e.session_id = session.id
                    AND e.action NOT IN ('noted', 'assigned')) AS reviews,
                (SELECT json_object_agg(a.id, a.body::json)
                   FROM risk_assessment a
                  WHERE :assessments::boolean
                    AND a.organization_id = :organization_id
                    AND a.id = ANY (ARRAY(
                          SELECT entry ->> 'risk_assessment_id'
                            FROM json_array_elements(session.results) entry
                           WHERE entry ->> 'risk_assessment_id' IS NOT NULL)))
                AS assessments
       ) kept ON session.id IS NOT NULL
 ORDER BY page.id
