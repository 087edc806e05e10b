-- The history of a session, in order: its creation and end, its events with
-- their deliveries, the decisions about its submissions and reviews, and its
-- assessments. All rows are found by the session; no others are read.
@parameters
    organization_id, session_id,
    after_at, after_key,  -- only rows after this, in order
    limit
WITH entry AS (
    SELECT t.at, t.key, t.kind, json_build_object('revision', s.revision) AS body
      FROM verification_session s
     CROSS JOIN LATERAL (
        VALUES (s.created_at, '0_created', 'created'),
               ((s.runner ->> 'consented_at')::bigint, '1_consented',
                'consented'),
               (s.completed_at, '8_completed', 'completed'),
               (s.cancelled_at, '8_cancelled', 'cancelled')) t (at, key, kind)
     WHERE s.organization_id = :organization_id AND s.id = :session_id
       AND t.at > 0
    UNION ALL
    SELECT e.created_at, e.id, 'event',
           json_build_object(
               'id', e.id, 'type', e.type,
               'deliveries', coalesce((
                   SELECT json_agg(json_build_object(
                              'id', d.id,
                              'webhook_endpoint_id', d.webhook_endpoint_id,
                              'status', d.status, 'attempt', d.attempt,
                              'status_code', d.response -> 'status_code',
                              'error', d.last_error ->> 'code',
                              'delivered_at', d.delivered_at / 1000)
                          ORDER BY d.id)
                     FROM webhook_delivery d
                    WHERE d.organization_id = :organization_id
                      AND
@delivery_of_event
                   ), '[]'))
      FROM event e
     WHERE e.organization_id = :organization_id AND e.object_id = :session_id
    UNION ALL
    SELECT created_at, id, 'review',
           json_build_object('id', id, 'action', action, 'by', actor,
                             'reason_code', reason_code,
                             'deadline_at', deadline_at / 1000)
      FROM review_entry
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND action NOT IN ('noted', 'assigned')
    UNION ALL
    SELECT decided_at, '5_' || lpad(submission::text, 10, '0'), 'decision',
           json_build_object('submission', submission, 'method', method,
                             'verdict', verdict, 'error', record -> 'error',
                             'hint', record -> 'hint')
      FROM decision_record
     WHERE organization_id = :organization_id AND session_id = :session_id
    UNION ALL
    SELECT created_at, id, 'risk_assessment', json_build_object('id', id)
      FROM risk_assessment
     WHERE organization_id = :organization_id AND session_id = :session_id
)
SELECT at, key, kind, body
  FROM entry
 WHERE (at, key COLLATE "C") > (:after_at::bigint, :after_key::text)
 ORDER BY at, key COLLATE "C"
 LIMIT :limit::integer
