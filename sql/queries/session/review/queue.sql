-- The held sessions of an organization by deadline, the next first, with the
-- holders of their claims and their assignees: one lookup of each per session,
-- whatever the statistics say about claims. A reason is one of
-- review_queue_reason.sql.
@parameters
    organization_id,
    after_deadline, after_id,  -- only rows after this one, in order
    now,
    unclaimed,  -- true: only unclaimed ones
    limit,
    workflow_id, reason,  -- only of these; NULL: all
    due_before,           -- only with a deadline until then; NULL: all
    assignee              -- only assigned to this reviewer; NULL: all
SELECT s.id, s.application_id, s.type, s.client_reference_id, s.workflow_id,
       s.risk_tier, s.review_opened_at, s.review_deadline_at,
       s.runner ->> 'review_reason', s.runner ->> 'node',
       coalesce((s.runner ->> 'review_flagged')::boolean, false),
       coalesce((s.runner ->> 'review_escalated')::boolean, false),
       c.reviewer, c.claimed_at, c.expires_at,
@review_assignee
  FROM verification_session s
  LEFT JOIN LATERAL (
    SELECT session_id, reviewer, claimed_at, expires_at
      FROM review_claim
     WHERE organization_id = :organization_id AND session_id = s.id
       AND expires_at > :now::bigint
     LIMIT 1) c ON true
 WHERE s.organization_id = :organization_id AND s.status = 'under_review'
   AND (s.review_deadline_at, s.id) > (:after_deadline::bigint, :after_id::text)
   AND (NOT :unclaimed::boolean OR c.session_id IS NULL)
   AND (:workflow_id::text IS NULL OR s.workflow_id = :workflow_id)
   AND (:due_before::bigint IS NULL OR s.review_deadline_at <= :due_before)
   AND (:assignee::text IS NULL OR :assignee =
@review_assignee
       )
   AND (:reason::text IS NULL OR :reason =
@review_queue_reason
       )
 ORDER BY s.review_deadline_at, s.id
 LIMIT :limit::integer
