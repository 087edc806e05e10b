-- Overdue work of watchdogs, over all nodes, each kind counted up to :limit and
-- with the oldest time: expired sessions, expired reviews, submissions that no
-- node took, e-mails, evidence of ended sessions, answers of idempotency keys.
@parameters
    late_before,       -- what was due then should have been done
    mail_before,       -- e-mails of then should have left
    evidence_before,   -- evidence of sessions that ended then should be gone
    retention_before,  -- and answers from then, too
    limit
SELECT 'sessions', count(*), min(at)
  FROM (SELECT expires_at AS at
          FROM verification_session
         WHERE status IN
@session_expiring
           AND expires_at < :late_before::bigint
         ORDER BY expires_at
         LIMIT :limit::integer) sessions
 UNION ALL
SELECT 'reviews', count(*), min(at)
  FROM (SELECT review_deadline_at AS at
          FROM verification_session
         WHERE status = 'under_review'
           AND review_deadline_at < :late_before::bigint
         ORDER BY review_deadline_at
         LIMIT :limit::integer) reviews
 UNION ALL
SELECT 'submissions', count(*), min(at)
  FROM (SELECT due_at AS at
          FROM analysis_job
         WHERE due_at < :late_before::bigint
         ORDER BY due_at
         LIMIT :limit::integer) submissions
 UNION ALL
SELECT 'mails', count(*), min(at)
  FROM (SELECT created_at AS at
          FROM outgoing_mail
         WHERE created_at < :mail_before::bigint
         ORDER BY created_at
         LIMIT :limit::integer) mails
 UNION ALL
SELECT 'evidence', count(*), min(at)
  FROM (SELECT s.updated_at AS at
          FROM session_data_key k
          JOIN verification_session s
            ON s.organization_id = k.organization_id AND s.id = k.session_id
         WHERE s.status IN
@session_ended
           AND s.updated_at < :evidence_before::bigint
         LIMIT :limit::integer) evidence
 UNION ALL
SELECT 'retention', count(*), min(at)
  FROM (SELECT created_at AS at
          FROM idempotency_record
         WHERE created_at < :retention_before::bigint
         LIMIT :limit::integer) answers
